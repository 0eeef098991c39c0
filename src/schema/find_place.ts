interface Place {
  readonly value: object;
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Looks through data for a place, without recursion: neither depth nor a cycle ends it early.
 *
 * @param root Anything the caller sent.
 * @param test Is asked about each object and array; answers the keys from there to the place.
 * @returns The path of the first place, or `undefined`.
 *
 * @example
 * ```ts
 * import { findPlace } from "./find_place.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const place = findPlace({ a: [1, 2] }, (value) => Array.isArray(value) ? ["1"] : undefined);
 * assertEquals(place, ["a", "1"]);
 * ```
 */
export function findPlace(
  root: unknown,
  test: (value: object) => readonly string[] | undefined,
): readonly string[] | undefined {
  if (typeof root !== "object" || root === null) return undefined;
  const seen = new Set<object>([root]);
  const places: Place[] = [{ value: root, key: "", parent: undefined }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const found = test(place.value);
    if (found !== undefined) return [...toPath(place), ...found];
    const members = Object.values(place.value);
    if (!members.some(isObject)) continue;
    const keys = Object.keys(place.value);
    for (const [index, value] of members.entries()) {
      if (!isObject(value) || seen.has(value)) continue;
      seen.add(value);
      places.push({ value, key: keys[index] ?? "", parent: place });
    }
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toPath(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
