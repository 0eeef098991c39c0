import type { OutputUnit } from "@cfworker/json-schema";
import { findCauses } from "./find_causes.ts";
import { placeOfError } from "./place_of_error.ts";
import type { SchemaIssue } from "./standard_schema.ts";

/** More than a caller is ever shown. */
const MAX_ISSUES = 200;

/** What to say about a bound: the words before it and after it. */
const BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  minimum: ["Must be at least ", ""],
  maximum: ["Must be at most ", ""],
  exclusiveMinimum: ["Must be greater than ", ""],
  exclusiveMaximum: ["Must be less than ", ""],
  multipleOf: ["Must be a multiple of ", ""],
  minLength: ["Must have at least ", " characters"],
  maxLength: ["Must have at most ", " characters"],
  minItems: ["Must have at least ", " items"],
  maxItems: ["Must have at most ", " items"],
  minProperties: ["Must have at least ", " properties"],
  maxProperties: ["Must have at most ", " properties"],
};

const ARTICLES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "a boolean",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

/**
 * Turns the validator's errors into issues for the caller: every cause once, in plain words,
 * without the value and without the errors that only say that a deeper one exists.
 *
 * @param errors The validator's errors, each wrapper before what it wraps.
 * @returns Issues with paths; some 200 at most.
 *
 * @example
 * ```ts
 * import { toIssues } from "./json_schema_issues.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const keyword = "minimum", keywordLocation = "#/minimum", error = "5 is less than 10.";
 * assertEquals(toIssues([{ keyword, keywordLocation, instanceLocation: "#/a", error }]), [
 *   { path: ["a"], message: "Must be at least 10." },
 * ]);
 * ```
 */
export function toIssues(errors: readonly OutputUnit[]): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  for (const cause of findCauses(errors)) {
    if (issues.length > MAX_ISSUES) break;
    issues.push(toIssue(cause));
  }
  return issues;
}

function toIssue(cause: OutputUnit): SchemaIssue {
  const { keyword, error } = cause;
  const path = placeOfError(cause);
  const bound = BOUNDS[keyword];
  if (bound !== undefined) {
    const [limit] = /[\d.e+-]*\d(?=\D*$)/i.exec(error) ?? [""];
    return { path, message: `${bound[0]}${limit}${bound[1]}.` };
  }
  switch (keyword) {
    case "required":
      return { path, message: "This field is required." };
    case "false":
      return { path, message: "Unknown argument." };
    case "type": {
      const names = (error.split(" Expected ")[1] ?? "").match(/\w+/g) ?? [];
      return { path, message: `Expected ${names.map((name) => ARTICLES[name]).join(" or ")}.` };
    }
    case "const":
      return { path, message: error.replace("Instance does not match", "Expected") };
    case "enum":
      return { path, message: error.replace("Instance does not match any", "Expected one") };
    case "oneOf":
      return { path, message: "Must match exactly one of the alternatives." };
    default:
      return { path, message: error };
  }
}
