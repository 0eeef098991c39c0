import { isSchemaObject, type JsonSchema } from "./json_schema_document.ts";

/**
 * Finds what a local reference leads to.
 *
 * @param reference A `$ref` such as `#/$defs/node`.
 * @param root The document.
 * @returns The part of the document, or `undefined`.
 *
 * @example
 * ```ts
 * import { resolveReference } from "./resolve_reference.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const root = { $defs: { a: { type: "null" } } };
 * assertEquals(resolveReference("#/$defs/a", root), { type: "null" });
 * ```
 */
export function resolveReference(reference: string, root: JsonSchema): unknown {
  let place: unknown = root;
  for (const segment of reference.split("/").slice(1)) {
    const key = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof place === "object" && place !== null && Object.hasOwn(place, key);
    place = isThere ? (place as JsonSchema)[key] : undefined;
  }
  return isSchemaObject(place) ? place : undefined;
}
