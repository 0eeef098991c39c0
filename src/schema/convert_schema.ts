import { ConfigurationError } from "../ports/configuration_error.ts";
import { describeParameters } from "./describe_parameter.ts";
import { findLostType } from "./find_lost_type.ts";
import { isRawJsonSchema } from "./json_schema.ts";
import { isSchemaObject, type JsonSchema } from "./json_schema_document.ts";
import type { Parameters } from "./parameter.ts";
import { rebaseJsonSchema } from "./rebase_json_schema.ts";
import { resolveReference } from "./resolve_reference.ts";
import type { Schema } from "./standard_schema.ts";

export type { JsonSchema } from "./json_schema_document.ts";

/** Libraries that refuse themselves to convert what has no JSON Schema. */
const STRICT = new Set(["valibot", "zod"]);
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Describes what a schema takes, as JSON Schema 2020-12. A raw `jsonSchema()` describes itself.
 *
 * @param schema Any schema with a JSON Schema side.
 * @param where Whose it is, for errors: `input of tool "a"`.
 * @returns The description, without `$schema`.
 * @throws {ConfigurationError} when the schema, or a part of it, has no JSON Schema.
 *
 * @example
 * ```ts
 * import { describeInput } from "./convert_schema.ts";
 * import { z } from "zod";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(describeInput(z.string().min(2), 'input of tool "a"'), {
 *   type: "string",
 *   minLength: 2,
 * });
 * ```
 */
export function describeInput(schema: Schema, where: string): JsonSchema {
  return describe(schema, "input", where);
}

/**
 * Describes what a schema gives, as JSON Schema 2020-12. A raw `jsonSchema()` describes itself.
 *
 * @param schema Any schema with a JSON Schema side.
 * @param where Whose it is, for errors: `output of tool "a"`.
 * @returns The description, without `$schema`.
 * @throws {ConfigurationError} when the schema, or a part of it, has no JSON Schema.
 *
 * @example
 * ```ts
 * import { describeOutput } from "./convert_schema.ts";
 * import { z } from "zod";
 * import { assertEquals } from "@std/assert";
 *
 * const schema = z.strictObject({ n: z.number().default(1) });
 * assertEquals(describeOutput(schema, 'output of tool "a"').required, ["n"]);
 * ```
 */
export function describeOutput(schema: Schema, where: string): JsonSchema {
  return describe(schema, "output", where);
}

function describe(schema: Schema, side: "input" | "output", where: string): JsonSchema {
  const { vendor, jsonSchema } = schema?.["~standard"] ?? {};
  if (typeof vendor !== "string") {
    throw new ConfigurationError(`Cannot describe ${where}: it is no Standard Schema`);
  }
  if (typeof jsonSchema?.[side] !== "function") {
    const advice = vendor === "valibot"
      ? "wrap it with toStandardJsonSchema() of @valibot/to-json-schema"
      : `this version of ${vendor} does not write JSON Schema`;
    throw new ConfigurationError(`Cannot describe ${where}: ${advice}`);
  }
  if (isRawJsonSchema(schema)) return convert(schema, side);
  let described: JsonSchema;
  try {
    described = convert(schema, side);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = findUnconvertible(schema, side);
    const suffix = place === undefined ? "" : ` (at ${place})`;
    throw new ConfigurationError(`Cannot describe ${where}: ${message}${suffix}`, { cause: error });
  }
  const lost = STRICT.has(vendor) ? undefined : findLostType(schema, described);
  if (lost !== undefined) {
    throw new ConfigurationError(
      `Cannot describe ${where}: the type has no JSON Schema (at ${lost})`,
    );
  }
  return described;
}

function convert(
  schema: Schema,
  side: "input" | "output",
  libraryOptions?: Readonly<Record<string, unknown>>,
): JsonSchema {
  const options = { target: "draft-2020-12", ...libraryOptions && { libraryOptions } } as const;
  const converted = schema["~standard"].jsonSchema[side](options);
  if (isRawJsonSchema(schema)) return converted;
  const { $schema, ...plain } = JSON.parse(JSON.stringify(converted)) as JsonSchema;
  const described = inlineRoot(plain);
  return $schema === DIALECT || $schema === undefined ? described : { $schema, ...described };
}

// Asks valibot and Zod to leave out what they cannot convert, to see where that is.
function findUnconvertible(schema: Schema, side: "input" | "output"): string | undefined {
  try {
    const options = { unrepresentable: "any", errorMode: "ignore" };
    return findLostType(schema, convert(schema, side, options));
  } catch {
    return undefined;
  }
}

// A recursive type may be nothing but a reference to its definition.
function inlineRoot(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  const target = typeof $ref === "string" ? resolveReference($ref, schema) : undefined;
  return isSchemaObject(target) && target !== schema ? { ...target, ...rest } : schema;
}

/** What the arguments of an operation are made of. */
export interface ArgumentsDescription {
  /** Parameters that a callable reads. Default none. */
  readonly parameters?: Parameters;
  /** Parameters that the presentation reads. Default none. */
  readonly shapes?: Parameters;
  /** A schema whose members stand beside them. Default none. */
  readonly input?: Schema;
  /** Names that the server fills: neither offered nor required. Default none. */
  readonly omit?: ReadonlySet<string>;
  /** Names that the server may fill: offered and not required. Default none. */
  readonly optional?: ReadonlySet<string>;
  /** Whether a call with undeclared arguments is refused. */
  readonly unknownArguments: "reject" | "ignore";
  /** Whose arguments they are, for errors: `tool "a"`. */
  readonly where: string;
}

/** Keywords by which a schema decides itself which names it takes. */
const DECIDING = ["allOf", "anyOf", "else", "if", "not", "oneOf", "patternProperties", "then"];

/**
 * Describes the arguments of an operation as one object schema: parameters, then shapes, then the
 * members of the input schema. It is closed where undeclared arguments are refused; below the top
 * level, the input schema decides. A raw `jsonSchema()` alone is listed verbatim.
 *
 * @param options What the arguments are made of.
 * @returns The schema, and the names it takes; `undefined` when only the input schema can tell.
 * @throws {ConfigurationError} when a name is declared twice or is `__proto__`, the input is no object, or it has no
 * JSON Schema.
 *
 * @example
 * ```ts
 * import { describeArguments } from "./convert_schema.ts";
 * import { param } from "./param.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const parameters = { id: param.integer({ required: true }) };
 * const where = 'tool "read"';
 * assertEquals(describeArguments({ parameters, unknownArguments: "reject", where }), {
 *   schema: {
 *     type: "object",
 *     properties: { id: { type: "integer" } },
 *     required: ["id"],
 *     additionalProperties: false,
 *   },
 *   names: ["id"],
 * });
 * ```
 */
export function describeArguments(
  options: ArgumentsDescription,
): { readonly schema: JsonSchema; readonly names: readonly string[] | undefined } {
  const { input, where } = options;
  const omit = options.omit ?? new Set();
  const optional = options.optional ?? new Set();
  const isClosed = options.unknownArguments === "reject";
  const isRaw = input !== undefined && isRawJsonSchema(input);

  const described = input === undefined ? {} : describeInput(input, `input of ${where}`);
  if (input !== undefined && !isObjectSchema(described, described)) {
    throw new ConfigurationError(`Cannot describe input of ${where}: its root must be an object`);
  }
  const { schema: { properties: members, required: needed, type: _, ...rest }, root } =
    input === undefined ? { schema: described, root: {} } : rebaseJsonSchema(described);
  const groups = [
    describeParameters(options.parameters ?? {}, isClosed),
    describeParameters(options.shapes ?? {}, isClosed),
    { properties: members as JsonSchema ?? {}, required: needed as readonly string[] ?? [] },
  ];
  const properties: Record<string, unknown> = {};
  for (const group of groups) {
    for (const [name, one] of Object.entries(group.properties)) {
      if (name === "__proto__") {
        throw new ConfigurationError(`Cannot describe ${where}: "__proto__" is no name`);
      }
      if (Object.hasOwn(properties, name)) {
        throw new ConfigurationError(
          `Cannot describe ${where}: argument ${JSON.stringify(name)} is declared twice`,
        );
      }
      properties[name] = one;
    }
  }
  const isServers = Object.keys(properties).filter((name) => omit.has(name));
  for (const name of isServers) delete properties[name];
  const names = Object.keys(properties);
  const required = groups.flatMap((group) => group.required)
    .filter((name) => !omit.has(name) && !optional.has(name));

  const isAlone = names.length + isServers.length === Object.keys(members ?? {}).length;
  const isUntouched = isServers.length === 0 && required.length === (needed as [] ?? []).length;
  if (isRaw && isAlone && isUntouched) {
    if (described["type"] === "object") return { schema: described, names: undefined };
    throw new ConfigurationError(
      `Cannot describe input of ${where}: a raw schema says type "object" at its root`,
    );
  }
  const isDecided = isRaw || DECIDING.some((keyword) => Object.hasOwn(rest, keyword)) ||
    (rest["additionalProperties"] ?? false) !== false;
  const schema = {
    type: "object",
    ...rest,
    ...names.length > 0 && { properties },
    ...required.length > 0 && { required },
    ...isClosed && !isDecided && { additionalProperties: false },
    ...root,
  };
  return { schema, names: isDecided ? undefined : names };
}

function isObjectSchema(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isSchemaObject(schema) || depth > 16) return false;
  const { type, $ref, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return type === "object";
  const isObject = (one: unknown): boolean => isObjectSchema(one, root, depth + 1);
  if (typeof $ref === "string") return isObject(resolveReference($ref, root));
  if (Array.isArray(allOf) && allOf.some(isObject)) return true;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.length > 0 && branches.every(isObject);
}

/** How a list of items is described. */
export interface ManyDescription {
  /** The argument that holds the list. */
  readonly name: string;
  /** How many items it holds at most. */
  readonly maxItems: number;
  /** Whether a call with other arguments is refused. */
  readonly unknownArguments: "reject" | "ignore";
}

/**
 * Describes the arguments of an operation on many items: one list.
 *
 * @param item The description of an item.
 * @param options How the list is described.
 * @returns An object schema with the item's definitions at its root.
 *
 * @example
 * ```ts
 * import { describeMany } from "./convert_schema.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const options = { name: "ids", maxItems: 10, unknownArguments: "ignore" } as const;
 * assertEquals(describeMany({ type: "integer" }, options), {
 *   type: "object",
 *   properties: { ids: { type: "array", maxItems: 10, items: { type: "integer" } } },
 *   required: ["ids"],
 * });
 * ```
 */
export function describeMany(item: JsonSchema, options: ManyDescription): JsonSchema {
  const { name, maxItems, unknownArguments } = options;
  const { schema: items, root } = rebaseJsonSchema(item);
  return {
    type: "object",
    properties: { [name]: { type: "array", maxItems, items } },
    required: [name],
    ...unknownArguments === "reject" && { additionalProperties: false },
    ...root,
  };
}
