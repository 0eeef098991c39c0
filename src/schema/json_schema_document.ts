/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * Tells a schema object, or any record in one, from `true`, `false`, lists and scalars.
 *
 * @param value A part of a JSON Schema.
 * @returns Whether it is a record.
 */
export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
