import type { Problems } from "./problems.ts";

/**
 * Compiles the check that refuses undeclared arguments at the top level.
 *
 * @param known The declared names.
 * @returns A check that adds `Unknown argument.` for each own key of its source that is not known;
 * an own `__proto__` is never known.
 *
 * @example
 * ```ts
 * import { Problems } from "./problems.ts";
 * import { compileUnknownCheck } from "./unknown_arguments.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const problems = new Problems();
 * compileUnknownCheck(["id"])({ id: 1, note: "x" }, problems);
 * assertEquals(JSON.stringify(problems.toTree()), '{"note":["Unknown argument."]}');
 * ```
 */
export function compileUnknownCheck(
  known: Iterable<string>,
): (source: Readonly<Record<string, unknown>>, problems: Problems) => void {
  const names = new Set(known);
  names.delete("__proto__");
  return (source, problems) => {
    for (const key of Object.keys(source)) {
      if (!names.has(key)) problems.add([key], "Unknown argument.");
    }
  };
}
