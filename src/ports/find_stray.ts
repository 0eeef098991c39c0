import { didYouMean } from "./did_you_mean.ts";

/**
 * Finds an option that nobody knows, and says so.
 *
 * @param given What an author wrote.
 * @param known The names there are.
 * @param what What they are: `an option of a tool`.
 * @returns `colour is not an option of a tool`, with the name that is most likely meant; `undefined`
 * where every name is known.
 *
 * @example
 * ```ts
 * import { findStray } from "./find_stray.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const known = ["description", "title"];
 * assertEquals(
 *   findStray({ titel: "Greet" }, known, "an option of a tool"),
 *   'titel is not an option of a tool: did you mean "title"?',
 * );
 * assertEquals(findStray({ title: "Greet" }, known, "an option of a tool"), undefined);
 * ```
 */
export function findStray(
  given: object,
  known: readonly string[],
  what: string,
): string | undefined {
  const stray = Object.keys(given).find((key) => !known.includes(key));
  return stray === undefined ? undefined : `${stray} is not ${what}${didYouMean(stray, known)}`;
}
