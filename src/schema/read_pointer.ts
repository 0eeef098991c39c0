/**
 * Reads a JSON Pointer in a URI fragment, as the validator writes its places.
 *
 * @param pointer Such as `#/a~1b/0`.
 * @returns The keys from the root.
 *
 * @example
 * ```ts
 * import { readPointer } from "./read_pointer.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(readPointer("#/a~1b/0"), ["a/b", "0"]);
 * ```
 */
export function readPointer(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map((segment) =>
    decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~")
  );
}
