import type { OutputUnit } from "@cfworker/json-schema";
import { readPointer } from "./read_pointer.ts";

/**
 * Finds what an error of the validator is about: the place of the value, or the place where one is
 * missing.
 *
 * @returns The keys from the root.
 *
 * @example
 * ```ts
 * import { placeOfError } from "./place_of_error.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const keyword = "required", keywordLocation = "#/required", instanceLocation = "#/a";
 * const error = 'Instance does not have required property "b".';
 * const place = placeOfError({ keyword, keywordLocation, instanceLocation, error });
 * assertEquals(place, ["a", "b"]);
 * ```
 */
export function placeOfError({ keyword, error, instanceLocation }: OutputUnit): readonly string[] {
  const path = readPointer(instanceLocation);
  if (keyword !== "required") return path;
  const [, name = ""] = /property "(.*)"\.$/s.exec(error) ?? [];
  return [...path, name];
}
