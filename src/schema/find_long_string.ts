import { findPlace } from "./find_place.ts";

const MAX_BYTES = 64 * 1024;

/**
 * Looks for a string, or a key, of more than 64 KiB: too long to run an author's pattern on, since
 * patterns can take time that grows faster than their subject.
 *
 * @param root Anything the caller sent.
 * @returns The path of the first such string, or `undefined`; of a key, the path of its object.
 *
 * @example
 * ```ts
 * import { findLongString } from "./find_long_string.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(findLongString({ a: ["x".repeat(65_537)] }), ["a", "0"]);
 * assertEquals(findLongString({ a: "short" }), undefined);
 * ```
 */
export function findLongString(root: unknown): readonly string[] | undefined {
  if (isLong(root)) return [];
  return findPlace(root, (value) => {
    for (const [key, one] of Object.entries(value)) {
      if (isLong(key)) return [];
      if (isLong(one)) return [key];
    }
    return undefined;
  });
}

// A UTF-16 unit is at least one byte and at most three.
function isLong(value: unknown): boolean {
  if (typeof value !== "string" || value.length * 3 <= MAX_BYTES) return false;
  return value.length > MAX_BYTES || new TextEncoder().encode(value).length > MAX_BYTES;
}
