import type { JsonSchema } from "./json_schema_document.ts";
import { walkJsonSchema } from "./walk_json_schema.ts";

/**
 * Tells whether checking a value against a schema runs regular expressions over its strings.
 *
 * @param schema A JSON Schema.
 * @returns Whether a `pattern`, `patternProperties` or `format` is in it.
 *
 * @example
 * ```ts
 * import { usesPatterns } from "./uses_patterns.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(usesPatterns({ properties: { a: { pattern: "^a" } } }), true);
 * assertEquals(usesPatterns({ properties: { pattern: { type: "string" } } }), false);
 * ```
 */
export function usesPatterns(schema: JsonSchema): boolean {
  for (const { schema: one } of walkJsonSchema(schema)) {
    if (["pattern", "patternProperties", "format"].some((name) => Object.hasOwn(one, name))) {
      return true;
    }
  }
  return false;
}
