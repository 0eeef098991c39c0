import { dereference, type Schema as Draft } from "@cfworker/json-schema";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { JsonSchema } from "./json_schema_document.ts";
import { walkJsonSchema } from "./walk_json_schema.ts";

/** A raw JSON Schema, ready to validate with. */
export interface CompiledJsonSchema {
  /** The validator's own copy, which it annotates. */
  readonly document: Draft;
  /** Every schema in the document, by its URI. */
  readonly lookup: Record<string, Draft | boolean>;
  /** The dialect, in the validator's words. */
  readonly draft: "7" | "2020-12";
}

const DIALECTS = new Map<string, "7" | "2020-12">([
  ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
  ["http://json-schema.org/draft-07/schema", "7"],
  ["https://json-schema.org/draft-07/schema", "7"],
]);
const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const UNSUPPORTED = ["$dynamicRef", "$recursiveRef"];

/**
 * Prepares a JSON Schema of the dialect 2020-12 or draft-07. Nothing is ever fetched.
 *
 * @param schema The author's document; it is copied.
 * @returns The schema with all its references resolved.
 * @throws {ConfigurationError} when the dialect is unknown, a `$ref` leads out of the document, a
 * `type` or a `pattern` is wrong, or a keyword is one that cannot be checked.
 *
 * @example
 * ```ts
 * import { compileJsonSchema } from "./compile_json_schema.ts";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(compileJsonSchema({ type: "object" }).draft, "2020-12");
 * assertThrows(() => compileJsonSchema({ $ref: "https://example.test/s.json" }), Error, "$ref");
 * ```
 */
export function compileJsonSchema(schema: JsonSchema): CompiledJsonSchema {
  const draft = readDialect(schema);
  for (const { schema: one, path } of walkJsonSchema(schema)) {
    checkKeywords(one, path, draft);
  }
  const document = structuredClone(schema) as Draft;
  let lookup: CompiledJsonSchema["lookup"];
  try {
    lookup = dereference(document);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error), [], { cause: error });
  }
  for (const { schema: one, path } of walkJsonSchema(document)) {
    const { $ref, __absolute_ref__: target } = one as Draft;
    if ($ref === undefined) continue;
    if (typeof target !== "string" || lookup[target] === undefined) {
      throw refuse(`$ref ${JSON.stringify($ref)} leads out of the document`, path);
    }
  }
  return { document, lookup, draft };
}

function readDialect({ $schema }: JsonSchema): "7" | "2020-12" {
  if ($schema === undefined) return "2020-12";
  const draft = DIALECTS.get(String($schema).replace(/#$/, ""));
  if (draft === undefined) {
    throw refuse(`dialect ${JSON.stringify($schema)} is neither 2020-12 nor draft-07`, []);
  }
  return draft;
}

function checkKeywords(schema: JsonSchema, path: readonly string[], draft: string): void {
  if (Object.hasOwn(schema, "$schema") && readDialect(schema) !== draft) {
    throw refuse("a subschema has another dialect", path);
  }
  for (const keyword of UNSUPPORTED) {
    if (Object.hasOwn(schema, keyword)) throw refuse(`${keyword} is not supported`, path);
  }
  const types = schema["type"] === undefined ? [] : [schema["type"]].flat();
  for (const type of types) {
    if (!TYPES.has(type as string)) throw refuse(`type ${JSON.stringify(type)} is unknown`, path);
  }
  const patterns = Object.keys(schema["patternProperties"] ?? {});
  for (const pattern of [schema["pattern"] ?? [], patterns].flat()) {
    try {
      new RegExp(String(pattern), "u");
    } catch (error) {
      throw refuse(`pattern ${JSON.stringify(pattern)} is wrong`, path, { cause: error });
    }
  }
  for (const keyword of ["properties", "patternProperties", "$defs", "definitions"]) {
    if (Object.hasOwn(schema[keyword] ?? {}, "__proto__")) {
      throw refuse('"__proto__" is no name', [...path, keyword]);
    }
  }
}

function refuse(why: string, path: readonly string[], options?: ErrorOptions): ConfigurationError {
  const place = path.length === 0 ? "" : ` at ${path.join(".")}`;
  return new ConfigurationError(`Cannot read JSON Schema${place}: ${why}`, options);
}
