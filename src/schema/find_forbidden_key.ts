/**
 * Looks for an own `__proto__` key in undeclared data, which `Object.assign()` would turn into a
 * prototype.
 *
 * @param root Anything the caller sent. It is walked without recursion, and cycles end.
 * @returns The path of the first such key, or `undefined`.
 *
 * @example
 * ```ts
 * import { findForbiddenKey } from "./find_forbidden_key.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(findForbiddenKey(JSON.parse('{"a":[{"__proto__":{}}]}')), ["a", "0", "__proto__"]);
 * assertEquals(findForbiddenKey({ a: 1 }), undefined);
 * ```
 */
export function findForbiddenKey(root: unknown): readonly string[] | undefined {
  if (typeof root !== "object" || root === null) return undefined;
  const places: Place[] = [{ value: root, key: "", parent: undefined }];
  const seen = new Set<object>([root]);
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (Object.hasOwn(place.value, "__proto__")) return [...toPath(place), "__proto__"];
    for (const [key, value] of Object.entries(place.value)) {
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      places.push({ value, key, parent: place });
    }
  }
  return undefined;
}

interface Place {
  readonly value: object;
  readonly key: string;
  readonly parent: Place | undefined;
}

function toPath(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) path.push(at.key);
  return path.reverse();
}
