import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";
import { isParameter, isPlain, type Parameter } from "./parameter.ts";
import { Problems } from "./problems.ts";
import { compileReader } from "./read_parameter.ts";

const OPTIONS = [
  "type",
  "required",
  "nullable",
  "help",
  "header",
  "choices",
  "format",
  "default",
  "items",
  "itemsNullable",
  "fields",
];
const FORMATS = new Set(["date", "date-time", "decimal"]);
const MIRRORED = new Set(["string", "integer", "boolean"]);
const CHOSEN = new Set(["string", "integer", "number"]);

/**
 * Checks a parameter as it is built.
 *
 * @param parameter The declaration.
 * @throws {ConfigurationError} that names the option which is wrong.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { assertThrows } from "@std/assert";
 *
 * assertThrows(() => param.string({ choices: [] }), Error, "choices");
 * ```
 */
export function checkDeclaration(parameter: Parameter): void {
  const { type, choices, fields, format, header, items, itemsNullable, nullable } = parameter;
  const refuse = (option: string, why: string): never => {
    throw new ConfigurationError(`Cannot declare param.${type}: ${option} ${why}`);
  };
  const stray = findStray(parameter, OPTIONS, "an option");
  if (stray !== undefined) throw new ConfigurationError(`Cannot declare param.${type}: ${stray}`);
  if (format !== undefined && (type !== "string" || !FORMATS.has(format))) {
    refuse("format", 'must be "date", "date-time" or "decimal", on a string');
  }
  if (header !== undefined) {
    if (!MIRRORED.has(type)) refuse("header", "needs a string, an integer or a boolean");
    if (nullable) refuse("header", "cannot mirror a nullable argument");
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) refuse("header", "must be an HTTP token");
  }
  if (choices !== undefined) {
    if (!CHOSEN.has(type)) refuse("choices", "needs a string, an integer or a number");
    if (choices.length === 0) refuse("choices", "must not be empty");
    if (new Set(choices).size < choices.length) refuse("choices", "must differ");
    const { choices: _, ...open } = parameter;
    for (const choice of choices) {
      if (!accepts({ ...open, nullable: false }, choice)) {
        refuse(
          "choices",
          `must hold values of the declared type: ${JSON.stringify(choice)} is none`,
        );
      }
    }
  }
  if (items !== undefined && type !== "array") refuse("items", "needs an array");
  if (fields !== undefined && type !== "object") refuse("fields", "needs an object");
  if (itemsNullable === true && items === undefined) refuse("itemsNullable", "needs items");
  if (fields !== undefined && !isPlain(fields)) refuse("fields", 'must not hold "__proto__"');
  if (items !== undefined && !isParameter(items)) {
    if (!isPlain(items)) refuse("items", 'must not hold "__proto__"');
  } else if (items !== undefined) {
    if (items.header !== undefined) refuse("items", "must not have a header");
    if (items.default !== undefined) refuse("items", "must not have a default");
  }
  if (parameter.default !== undefined && !accepts(parameter, parameter.default)) {
    refuse("default", "must be a value that the declaration accepts");
  }
}

// A scalar must pass unchanged: "5" is no integer here.
function accepts(parameter: Parameter, value: unknown): boolean {
  const problems = new Problems();
  const reader = compileReader(parameter, { unknownArguments: "reject" });
  const read = reader(value, problems, [], "default");
  return problems.size === 0 && (typeof value === "object" || read === value);
}
