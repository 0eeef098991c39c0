/** A JSON object as a parser gives it: unknown values under string keys. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * Tells whether a parsed value is a JSON object: not null, not an array.
 *
 * @example
 * ```ts
 * import { isJsonObject } from "@limen/mcp/protocol";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals([{}, [], null, 7].map(isJsonObject), [true, false, false, false]);
 * ```
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an own property of a caller's object, so that no name a caller chooses reaches a prototype.
 *
 * @example
 * ```ts
 * import { ownValue } from "@limen/mcp/protocol";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ownValue({ a: 1 }, "a"), 1);
 * assertEquals(ownValue({ a: 1 }, "toString"), undefined);
 * ```
 */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
