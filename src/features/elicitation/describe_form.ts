import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isParameter, type Parameter, type Parameters } from "../../schema/parameter.ts";

/** The formats that clients know. A decimal is any text to them. */
const FORMATS: ReadonlySet<string> = new Set(["date", "date-time"]);

/**
 * Describes a form in the part of JSON Schema that clients take: a flat object of plain values, of
 * choices, and of lists of choices (E-3, E-4).
 *
 * @throws {ConfigurationError} for a field that is anything else, naming it.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema}
 */
export function describeForm(fields: Parameters): JsonObject {
  const properties: Record<string, JsonObject> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = describeField(name, field);
    if (field.required && field.default === undefined) required.push(name);
  }
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function describeField(name: string, field: Parameter): JsonObject {
  const { type, nullable, choices, format, help: description } = field;
  if (type === "object") throw unfit(name, "is an object");
  if (nullable) throw unfit(name, "may be null");
  const rest = {
    ...(description === undefined ? {} : { description }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
  if (type === "array") return { type, items: describeChoices(name, field), ...rest };
  return {
    type,
    ...(choices === undefined ? {} : { enum: choices }),
    ...(format === undefined || !FORMATS.has(format) ? {} : { format }),
    ...rest,
  };
}

function describeChoices(name: string, { items, itemsNullable }: Parameter): JsonObject {
  const isChoice = items !== undefined && isParameter(items) && items.type === "string" &&
    items.choices !== undefined && !items.nullable && itemsNullable !== true;
  if (isChoice) return { type: "string", enum: items.choices };
  throw unfit(name, "is a list of something else than choices of text");
}

function unfit(name: string, why: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot ask for "${name}": it ${why}, and a form takes plain values, choices and lists of choices`,
  );
}
