import { andThen, isThenable } from "../ports/awaitable.ts";
import { isPageable } from "./pageable.ts";
import type { Run, RunResult, Stage } from "./operation.ts";
import { createPool } from "./pool.ts";

/**
 * Finds the row or the set that a service writes, with the look-up's own arguments. Nothing found ends
 * the call, unless the look-up allows none (K-60.3).
 */
export const findTarget: Stage = (run) => {
  const { operation, context, reads } = run.prepared;
  const target = operation.spec.target!;
  const args: Record<string, unknown> = {};
  for (const name of Object.keys(target.reads)) args[name] = reads[name];
  const pool = Object.assign(createPool(args, context, run.later), run.seeds, run.given);
  const found = target.callable(pool as never);
  const settled = isThenable(found) ? Promise.resolve(found) : found;
  if (target.kind === "list") {
    return andThen(settled, (collection) => {
      run.collection = collection;
      return undefined;
    });
  }
  return andThen(settled, (value) => acceptRow(run, value));
};

async function acceptRow(run: Run, value: unknown): Promise<RunResult | undefined> {
  run.instance = await firstRow(value);
  const isMissing = run.instance === undefined || run.instance === null;
  const { target } = run.prepared.operation.spec;
  return isMissing && !target!.allowNone ? { type: "not_found" } : undefined;
}

/** A query is reduced to its first row (K-9). */
export async function firstRow(value: unknown): Promise<unknown> {
  return isPageable(value) ? (await value.slice(0, 1))[0] : value;
}
