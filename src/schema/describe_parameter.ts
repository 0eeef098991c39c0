import type { JsonSchema } from "./json_schema_document.ts";
import { isParameter, type Parameter, type Parameters } from "./parameter.ts";

/** The members of an object schema. */
export interface Members {
  /** A schema by name. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** The names that the caller must send. */
  readonly required: readonly string[];
}

/**
 * Describes parameters as the members of an object schema.
 *
 * @param parameters The declarations.
 * @param isClosed Whether the check refuses undeclared names inside objects and rows.
 * @returns Their properties, and the names without which a call is refused.
 *
 * @example
 * ```ts
 * import { describeParameters } from "./describe_parameter.ts";
 * import { param } from "./param.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const reads = { id: param.integer({ required: true, help: "Which one." }) };
 * assertEquals(describeParameters(reads, true), {
 *   properties: { id: { type: "integer", description: "Which one." } },
 *   required: ["id"],
 * });
 * ```
 */
export function describeParameters(parameters: Parameters, isClosed: boolean): Members {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    properties[name] = describe(parameter, isClosed);
    if (parameter.required && parameter.default === undefined) required.push(name);
  }
  return { properties, required };
}

function describe(parameter: Parameter, isClosed: boolean): JsonSchema {
  const { type, nullable, choices, format, help, header, items, itemsNullable, fields } = parameter;
  return {
    type: nullable ? [type, "null"] : type,
    ...help !== undefined && { description: help },
    ...format !== undefined && { format },
    ...choices !== undefined && { enum: nullable ? [...choices, null] : choices },
    ...fields !== undefined && describeFields(fields, isClosed),
    ...items !== undefined && { items: describeItems(items, itemsNullable ?? false, isClosed) },
    ...parameter.default !== undefined && { default: parameter.default },
    ...header !== undefined && { "x-mcp-header": header },
  };
}

function describeFields(fields: Parameters, isClosed: boolean): JsonSchema {
  const { properties, required } = describeParameters(fields, isClosed);
  return {
    properties,
    ...required.length > 0 && { required },
    ...isClosed && { additionalProperties: false },
  };
}

function describeItems(
  items: Parameter | Parameters,
  nullable: boolean,
  isClosed: boolean,
): JsonSchema {
  if (isParameter(items)) {
    return describe({ ...items, nullable: nullable || items.nullable }, isClosed);
  }
  return { type: nullable ? ["object", "null"] : "object", ...describeFields(items, isClosed) };
}
