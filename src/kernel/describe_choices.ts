import { isJsonObject } from "../protocol/json.ts";
import type { JsonSchema } from "../schema/convert_schema.ts";
import { displayChoice } from "./display_choice.ts";

/**
 * Says in a schema what is shown for its values, so that what is shown fits (K-85): a closed list
 * becomes the list of what is shown, and an open one stays open beside it.
 *
 * @param schema The schema of a value, or of a list of them.
 * @param choices What is shown, by value.
 */
export function describeChoices(
  schema: JsonSchema,
  choices: Readonly<Record<string, string>>,
): JsonSchema {
  if (schema.type === "array") return { ...schema, items: describeOne(schema.items, choices) };
  const values = schema.type === "boolean" && schema.enum === undefined
    ? [true, false]
    : schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (Array.isArray(values)) return closed(schema, values, choices);
  for (const word of ["anyOf", "oneOf"]) {
    const branches = schema[word];
    if (Array.isArray(branches)) {
      // Two branches may come to be shown alike, which only anyOf takes.
      const { [word]: _, ...rest } = schema;
      return { ...rest, anyOf: branches.map((one) => describeOne(one, choices)) };
    }
  }
  if (schema.type === "null") return schema;
  return { anyOf: [{ type: "string", enum: [...new Set(Object.values(choices))] }, schema] };
}

function describeOne(schema: unknown, choices: Readonly<Record<string, string>>): JsonSchema {
  return describeChoices(isJsonObject(schema) ? schema : {}, choices);
}

function closed(
  { type: _, const: __, ...rest }: JsonSchema,
  values: readonly unknown[],
  choices: Readonly<Record<string, string>>,
): JsonSchema {
  const shown = [...new Set(values.map((value) => displayChoice(value, choices)))];
  const isText = shown.every((value) => typeof value === "string");
  return { ...rest, ...isText ? { type: "string" } : {}, enum: shown };
}
