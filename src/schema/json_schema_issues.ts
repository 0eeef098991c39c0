import type { OutputUnit } from "@cfworker/json-schema";
import type { SchemaIssue } from "./standard_schema.ts";

/** Keywords that only say that something below them failed. */
const WRAPPERS = new Set([
  "$ref",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "dependencies",
  "dependentSchemas",
  "if",
  "items",
  "oneOf",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

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
  // The alternatives below a keyword that was not met as a whole, which say nothing of their own.
  let muted: OutputUnit | undefined;
  for (const [index, error] of errors.entries()) {
    if (issues.length > MAX_ISSUES) break;
    if (muted !== undefined && isBelow(error, muted)) continue;
    muted = undefined;
    if (isWhole(error)) muted = error;
    else if (WRAPPERS.has(error.keyword) && isWrapping(error, errors[index + 1])) continue;
    issues.push(toIssue(error));
  }
  return issues;
}

function isWhole({ keyword, error }: OutputUnit): boolean {
  return keyword === "contains" || keyword === "propertyNames" ||
    keyword === "oneOf" && !error.includes("(0 matches)");
}

function isBelow(error: OutputUnit, wrapper: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${wrapper.keywordLocation}/`) ||
    error.keyword === "false" && error.instanceLocation.startsWith(wrapper.instanceLocation);
}

function isWrapping(wrapper: OutputUnit, next: OutputUnit | undefined): boolean {
  if (next === undefined) return false;
  return wrapper.keyword === "if" || isBelow(next, wrapper) ||
    next.keywordLocation === wrapper.keywordLocation;
}

function toIssue({ keyword, error, instanceLocation }: OutputUnit): SchemaIssue {
  const path = instanceLocation.split("/").slice(1).map(decode);
  const bound = BOUNDS[keyword];
  if (bound !== undefined) {
    const [limit] = /[\d.e+-]*\d(?=\D*$)/i.exec(error) ?? [""];
    return { path, message: `${bound[0]}${limit}${bound[1]}.` };
  }
  switch (keyword) {
    case "required": {
      const [, name = ""] = /property "(.*)"\.$/s.exec(error) ?? [];
      return { path: [...path, name], message: "This field is required." };
    }
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

function decode(segment: string): string {
  return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
}
