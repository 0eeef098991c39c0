import { ConfigurationError } from "../ports/configuration_error.ts";
import { isJsonObject } from "../protocol/json.ts";
import type { JsonSchema } from "../schema/convert_schema.ts";
import { describeChoices } from "./describe_choices.ts";
import { displayChoice } from "./display_choice.ts";

/** What one field of an output is to an agent. */
export interface AudienceField {
  /**
   * `"label"`: the record's name. `"handle"`: an opaque id for other tools. `"hidden"`: not shown at
   * all. Default `"content"`.
   */
  readonly as?: "content" | "label" | "handle" | "hidden";
  /** What the field is, for the advertised schema. Default: the schema's own words. */
  readonly description?: string;
  /** What is shown for a value, also inside a list; other values are shown as they are. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Renders a value; wins over `choices`. */
  readonly format?: {
    /** The schema of what it renders, such as `{ type: "string", format: "date-time" }`. */
    readonly schema: JsonSchema;
    /** Renders a value that is not null. */
    readonly write: (value: unknown) => unknown;
  };
}

/** Fields of an output by name; those that are not named are content. */
export type AudienceFields = Readonly<Record<string, AudienceField>>;

/** How rows and their schema are shown to an agent: both from the one declaration. */
export interface Audience {
  /** The schema of a shown row. */
  readonly schema: JsonSchema;
  /** Shows a row. */
  readonly show: (row: unknown) => unknown;
  /** The field that names a record, if any. */
  readonly label: string | undefined;
  /** Whether some field is a handle. */
  readonly hasHandle: boolean;
}

/** Sentences of the transport. */
export interface AudienceOptions {
  /** For errors: `tool "a"`. */
  readonly where: string;
  /** Description of a handle that has none of its own; absent leaves it without. */
  readonly handleDescription: string | undefined;
}

/**
 * Compiles the audience of an output (K-84, K-85).
 *
 * @param fields The declaration.
 * @param row The schema of a row: an object with `properties`.
 * @throws {ConfigurationError} when a field is not in the output, or two are labels.
 */
export function compileAudience(
  fields: AudienceFields,
  row: JsonSchema,
  options: AudienceOptions,
): Audience {
  const properties = isJsonObject(row.properties) ? row.properties : {};
  const labels: string[] = [];
  const shown: Record<string, unknown> = { ...properties };
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(properties, name)) {
      throw invalid(options.where, `audience names "${name}", which output does not declare`);
    }
    if (field.as === "label") labels.push(name);
    if (field.as === "hidden") delete shown[name];
    else shown[name] = showSchema(properties[name], field, options.handleDescription);
  }
  if (labels.length > 1) {
    throw invalid(options.where, `audience has two labels, "${labels[0]}" and "${labels[1]}"`);
  }
  const required = Array.isArray(row.required)
    ? { required: row.required.filter((name) => Object.hasOwn(shown, name)) }
    : {};
  return {
    schema: { ...row, properties: shown, ...required },
    show: (value) => isJsonObject(value) ? showRow(value, fields) : value,
    label: labels[0],
    hasHandle: Object.values(fields).some((field) => field.as === "handle"),
  };
}

function showRow(row: Readonly<Record<string, unknown>>, fields: AudienceFields): unknown {
  const shown: Record<string, unknown> = { ...row };
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(row, name)) continue;
    if (field.as === "hidden") delete shown[name];
    else shown[name] = showValue(row[name], field);
  }
  return shown;
}

function showValue(value: unknown, { as, choices, format }: AudienceField): unknown {
  if (as === "handle" || value === null || value === undefined) return value;
  if (format !== undefined) return format.write(value);
  if (choices === undefined) return value;
  return Array.isArray(value)
    ? value.map((item) => displayChoice(item, choices))
    : displayChoice(value, choices);
}

function showSchema(
  schema: unknown,
  { as, choices, format, description }: AudienceField,
  handleDescription: string | undefined,
): unknown {
  const own = isJsonObject(schema) ? schema : {};
  const words = description ?? own.description ?? (as === "handle" ? handleDescription : undefined);
  const described = words === undefined ? {} : { description: words };
  if (as === "handle") return { ...own, ...described };
  if (format !== undefined) return { ...nullable(format.schema, own), ...described };
  if (choices === undefined) return { ...own, ...described };
  return { ...describeChoices(own, choices), ...described };
}

/** Null is shown as null, whatever a value is shown as. */
function nullable(shown: JsonSchema, own: JsonSchema): JsonSchema {
  return admitsNull(own) ? { anyOf: [shown, { type: "null" }] } : shown;
}

function admitsNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, anyOf, oneOf, enum: values } = schema;
  return [type, values].flat().some((one) => one === "null" || one === null) ||
    schema.const === null || [anyOf, oneOf].flat().some(admitsNull);
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
