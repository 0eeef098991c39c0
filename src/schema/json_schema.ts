import { validate } from "@cfworker/json-schema";
import { compileJsonSchema } from "./compile_json_schema.ts";
import { findLongString } from "./find_long_string.ts";
import { findPlace } from "./find_place.ts";
import type { JsonSchema } from "./json_schema_document.ts";
import { toIssues } from "./json_schema_issues.ts";
import type { Schema, SchemaIssue, StandardSchema } from "./standard_schema.ts";
import { usesPatterns } from "./uses_patterns.ts";
import { walkJsonSchema } from "./walk_json_schema.ts";

const VENDOR = "json-schema";
/** Uniqueness is checked pair by pair. */
const MAX_UNIQUE_ITEMS = 1000;
/** Of a value with more members than this, the first problem is told and not all of them. */
const MAX_EXPLAINED = 10_000;

/**
 * Wraps a JSON Schema so that it stands wherever a schema is asked for. Alone, it is listed as is.
 *
 * The dialect is 2020-12, or draft-07 when `$schema` says so. Formats are checked. Nothing is
 * evaluated as code and no `$ref` is fetched.
 *
 * @param schema The document; it is copied.
 * @returns A schema that hands on what it was given.
 * @throws {ConfigurationError} when the document cannot be used as it is.
 *
 * @example
 * ```ts
 * import { jsonSchema } from "./json_schema.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const schema = jsonSchema<{ id: number }>({
 *   type: "object",
 *   properties: { id: { type: "integer" } },
 *   required: ["id"],
 * });
 * assertEquals(schema["~standard"].validate({ id: "x" }), {
 *   issues: [{ path: ["id"], message: "Expected an integer." }],
 * });
 * ```
 */
export function jsonSchema<T = unknown>(schema: JsonSchema): Schema<T, T> {
  const { document, lookup, draft } = compileJsonSchema(schema);
  const listed = freeze(structuredClone(schema));
  const hasPatterns = usesPatterns(listed);
  const hasUniqueItems = [...walkJsonSchema(listed)].some(({ schema }) => schema["uniqueItems"]);

  const findIssues = (given: unknown): readonly SchemaIssue[] => {
    if (given === undefined) return [{ message: "Expected a value." }];
    let size = 0;
    const isForeign = (part: object) => {
      const members = Object.values(part);
      size += members.length;
      return "toJSON" in part || !members.every(isPlain) ? [] : undefined;
    };
    const value = findPlace([given], isForeign) === undefined ? given : asSerialised(given);
    const long = hasPatterns ? findLongString(value) : undefined;
    if (long !== undefined) return [{ path: long, message: "String is too long to check." }];
    const wide = hasUniqueItems ? findPlace(value, isWide) : undefined;
    if (wide !== undefined) return [{ path: wide, message: "Array is too long to check." }];
    try {
      const { valid, errors } = validate(value, document, draft, lookup, size > MAX_EXPLAINED);
      return valid ? [] : toIssues(errors);
    } catch (error) {
      // Too deep or too wrong for the stack, or a key that is no Unicode text.
      if (!(error instanceof RangeError || error instanceof URIError)) throw error;
      return [{ message: "Value cannot be checked." }];
    }
  };

  return Object.freeze({
    "~standard": Object.freeze({
      version: 1 as const,
      vendor: VENDOR,
      validate: (value: unknown) => {
        const issues = findIssues(value);
        return issues.length === 0 ? { value: value as T } : { issues };
      },
      jsonSchema: Object.freeze({ input: () => listed, output: () => listed }),
    }),
  });
}

/**
 * Tells whether a schema was made by `jsonSchema()`.
 *
 * @param schema Any schema.
 * @returns Whether it is listed verbatim.
 *
 * @example
 * ```ts
 * import { isRawJsonSchema, jsonSchema } from "./json_schema.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(isRawJsonSchema(jsonSchema({ type: "object" })), true);
 * ```
 */
export function isRawJsonSchema(schema: StandardSchema): boolean {
  return schema["~standard"].vendor === VENDOR;
}

function isWide(value: object): readonly string[] | undefined {
  return Array.isArray(value) && value.length > MAX_UNIQUE_ITEMS ? [] : undefined;
}

function isPlain(member: unknown): boolean {
  return ["string", "number", "boolean", "object"].includes(typeof member);
}

// Dates, absent members and the like are validated in the form that they travel in.
function asSerialised(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) => typeof one === "bigint" ? Number(one) : one) ?? "null",
  );
}

function freeze<T extends object>(value: T): T {
  for (const one of Object.values(value)) {
    if (typeof one === "object" && one !== null) freeze(one);
  }
  return Object.freeze(value);
}
