import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { Schema, SchemaIssue, SchemaResult } from "../schema/standard_schema.ts";

/**
 * Checks a row by `output`, which strips what is not declared.
 *
 * @throws {Error} when the row does not match: the author's fault, never the caller's. The message holds
 * places and no values.
 */
export function acceptOutput(output: Schema, row: unknown, where: string): Awaitable<unknown> {
  const result = output["~standard"].validate(row);
  return isThenable(result)
    ? result.then((settled) => accept(settled, output, row, where))
    : accept(result, output, row, where);
}

/** A Date where the wire has text: the row is judged once more as it will be written. */
function accept(
  result: SchemaResult<unknown>,
  output: Schema,
  row: unknown,
  where: string,
): Awaitable<unknown> {
  if (result.issues === undefined) return result.value;
  const written: unknown = JSON.parse(JSON.stringify(row) ?? "null");
  const again = output["~standard"].validate(written);
  const { issues } = result;
  return isThenable(again)
    ? again.then((settled) => acceptWritten(settled, issues, where))
    : acceptWritten(again, issues, where);
}

function acceptWritten(
  result: SchemaResult<unknown>,
  issues: readonly SchemaIssue[],
  where: string,
): unknown {
  if (result.issues === undefined) return result.value;
  throw new Error(`Cannot serve the result of ${where}: output refuses ${places(issues)}`);
}

function places(issues: readonly SchemaIssue[]): string {
  return issues.slice(0, 5).map(({ path = [] }) =>
    ["$", ...path.map((key) => String(typeof key === "object" ? key.key : key))].join(".")
  ).join(", ");
}
