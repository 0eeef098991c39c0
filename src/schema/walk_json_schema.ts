import { isSchemaObject, type JsonSchema } from "./json_schema_document.ts";

/** One subschema, with the keywords that lead to it. */
export interface Subschema {
  /** The subschema; `true` and `false` are none. */
  readonly schema: JsonSchema;
  /** Keywords, names and indexes from the root. */
  readonly path: readonly string[];
}

/** Keywords whose value is one schema, or a list of them. */
const SCHEMAS = [
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

/** Keywords whose value is a record of schemas. */
const RECORDS = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
] as const;

/**
 * Lists a JSON Schema and every subschema in it, the root first. Data, such as `default` or `enum`,
 * is not entered.
 *
 * @param root An author's schema.
 * @returns The schemas with their paths.
 *
 * @example
 * ```ts
 * import { walkJsonSchema } from "./walk_json_schema.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const schema = { properties: { a: { type: "string" } } };
 * assertEquals([...walkJsonSchema(schema)].map(({ path }) => path), [[], ["properties", "a"]]);
 * ```
 */
export function* walkJsonSchema(
  root: JsonSchema,
  path: readonly string[] = [],
): Generator<Subschema> {
  yield { schema: root, path };
  for (const keyword of SCHEMAS) {
    const value = Object.hasOwn(root, keyword) ? root[keyword] : undefined;
    if (isSchemaObject(value)) yield* walkJsonSchema(value, [...path, keyword]);
    else if (Array.isArray(value)) yield* walkAll(value, [...path, keyword]);
  }
  for (const keyword of RECORDS) {
    const value = Object.hasOwn(root, keyword) ? root[keyword] : undefined;
    if (isSchemaObject(value)) yield* walkAll(value, [...path, keyword]);
  }
}

function* walkAll(schemas: object, path: readonly string[]): Generator<Subschema> {
  for (const [key, schema] of Object.entries(schemas)) {
    if (isSchemaObject(schema)) yield* walkJsonSchema(schema, [...path, key]);
  }
}
