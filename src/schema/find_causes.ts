import type { OutputUnit } from "@cfworker/json-schema";

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

/**
 * Picks the causes among the validator's errors: those that do not merely say that a deeper one
 * exists, and none of the alternatives below a keyword that was not met as a whole.
 *
 * @param errors The validator's errors, each wrapper before what it wraps.
 *
 * @example
 * ```ts
 * import { findCauses } from "./find_causes.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const errors = [
 *   { keyword: "properties", keywordLocation: "#/properties", instanceLocation: "#", error: "" },
 *   { keyword: "type", keywordLocation: "#/properties/a/type", instanceLocation: "#/a", error: "" },
 * ];
 * assertEquals([...findCauses(errors)], errors.slice(1));
 * ```
 */
export function* findCauses(errors: readonly OutputUnit[]): Generator<OutputUnit> {
  // The alternatives below a keyword that was not met as a whole, which say nothing of their own.
  let muted: OutputUnit | undefined;
  for (const [index, error] of errors.entries()) {
    if (muted !== undefined && isBelow(error, muted)) continue;
    muted = undefined;
    if (isWhole(error)) muted = error;
    else if (WRAPPERS.has(error.keyword) && isWrapping(error, errors[index + 1])) continue;
    yield error;
  }
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
