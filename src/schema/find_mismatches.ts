import { type Schema as Draft, validate } from "@cfworker/json-schema";
import { type CompiledJsonSchema, compileJsonSchema } from "./compile_json_schema.ts";
import { findCauses } from "./find_causes.ts";
import type { JsonSchema } from "./json_schema_document.ts";
import { placeOfError } from "./place_of_error.ts";
import { readPointer } from "./read_pointer.ts";

/** A place where a value and a JSON Schema differ. */
export interface SchemaMismatch {
  /** Keys from the root of the value to the place. */
  readonly path: readonly string[];
  /** The keyword that was not met; `"false"` where the schema allows nothing. */
  readonly keyword: string;
  /** What the schema says under that keyword; `undefined` for `"false"`. */
  readonly expected: unknown;
}

/**
 * Finds all places where a value and a JSON Schema differ, formats included. It goes on to the end
 * whatever the size, so it is for tests and not for what callers send.
 *
 * @param schema The document: dialect 2020-12, or draft-07 where it says so.
 * @param value JSON data.
 * @returns The mismatches, in the order of the schema.
 * @throws {ConfigurationError} when the document cannot be used.
 *
 * @example
 * ```ts
 * import { findMismatches } from "./find_mismatches.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const schema = { type: "array", items: { type: "integer" } };
 * assertEquals(findMismatches(schema, [1, "x"]), [
 *   { path: ["1"], keyword: "type", expected: "integer" },
 * ]);
 * ```
 */
export function findMismatches(schema: JsonSchema, value: unknown): readonly SchemaMismatch[] {
  const compiled = compileJsonSchema(schema);
  const { document, draft, lookup } = compiled;
  const { errors } = validate(value, document, draft, lookup, false);
  return Array.from(findCauses(errors), (cause) => ({
    path: placeOfError(cause),
    keyword: cause.keyword,
    expected: cause.keyword === "false" ? undefined : findKeyword(cause.keywordLocation, compiled),
  }));
}

/** Follows the way that the validator took, through references. */
function findKeyword(location: string, { document, lookup }: CompiledJsonSchema): unknown {
  let at: unknown = document;
  for (const key of readPointer(location)) {
    const node = at as Draft | undefined;
    const next = node?.[key];
    const isReference = key === "$ref" && typeof next === "string";
    at = isReference ? lookup[node?.__absolute_ref__ ?? next] : next;
  }
  return at;
}
