import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { Schema, SchemaIssue, SchemaResult } from "../schema/standard_schema.ts";
import type { Operation, RunResult } from "./operation.ts";

/**
 * Turns what a callable answered into what is served: a list is gathered, a missing row is told, and
 * every row is checked and stripped by `output`.
 *
 * @throws {Error} when a row does not match `output`: the author's fault, never the caller's.
 */
export function presentValue(operation: Operation, value: unknown): Awaitable<RunResult> {
  const { kind, output } = operation.spec;
  if (kind === "list") return presentRows(operation, value);
  if (value === undefined || value === null) {
    return kind === "retrieve" ? { type: "not_found" } : { type: "value", value };
  }
  if (output === undefined) return { type: "value", value };
  const row = projectRow(output, value, operation.where);
  return isThenable(row)
    ? row.then((settled): RunResult => ({ type: "value", value: settled }))
    : { type: "value", value: row };
}

async function presentRows(operation: Operation, value: unknown): Promise<RunResult> {
  const rows = await gather(value, operation.where);
  const { output } = operation.spec;
  if (output === undefined) return { type: "value", value: rows };
  const projected: unknown[] = [];
  for (const row of rows) {
    const settled = projectRow(output, row, operation.where);
    projected.push(isThenable(settled) ? await settled : settled);
  }
  return { type: "value", value: projected };
}

async function gather(value: unknown, where: string): Promise<readonly unknown[]> {
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null) {
    if (Symbol.iterator in value) return [...value as Iterable<unknown>];
    if (Symbol.asyncIterator in value) {
      const rows: unknown[] = [];
      for await (const row of value as AsyncIterable<unknown>) rows.push(row);
      return rows;
    }
  }
  throw new TypeError(`Cannot present the rows of ${where}: select must answer a list`);
}

function projectRow(output: Schema, row: unknown, where: string): unknown {
  const result = output["~standard"].validate(row);
  return isThenable(result)
    ? result.then((settled) => accept(settled as SchemaResult<unknown>, output, row, where))
    : accept(result, output, row, where);
}

/** A Date where the wire has text: the row is judged once more as it will be written. */
function accept(
  result: SchemaResult<unknown>,
  output: Schema,
  row: unknown,
  where: string,
): unknown {
  if (result.issues === undefined) return result.value;
  const written: unknown = JSON.parse(JSON.stringify(row) ?? "null");
  const again = output["~standard"].validate(written);
  if (!isThenable(again) && again.issues === undefined) return again.value;
  throw new Error(
    `Cannot serve the result of ${where}: it does not match output: ${list(result.issues)}`,
  );
}

function list(issues: readonly SchemaIssue[]): string {
  return issues.slice(0, 5).map(({ message, path = [] }) => {
    const keys = path.map((key) => String(typeof key === "object" ? key.key : key));
    return `${["$", ...keys].join(".")}: ${message}`;
  }).join("; ");
}
