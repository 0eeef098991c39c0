import { findPlace } from "./find_place.ts";

/**
 * Looks for an own `__proto__` key in undeclared data, which `Object.assign()` would turn into a
 * prototype.
 *
 * @param root Anything the caller sent.
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
  return findPlace(
    root,
    (value) => Object.hasOwn(value, "__proto__") ? ["__proto__"] : undefined,
  );
}
