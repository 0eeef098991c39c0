import type { Run } from "./operation.ts";
import { createPool, NO_VALUES, type Pool } from "./pool.ts";

/** The pool of a run: made once, when the arguments are complete. */
export function createRunPool(run: Run): Pool {
  if (run.pool !== undefined) return run.pool;
  const pool = createPool(run.args, run.prepared.context, run.later);
  const { target, filters } = run.prepared.operation.spec;
  if (target?.kind === "retrieve") Object.assign(pool, { instance: run.instance });
  if (target?.kind === "list") Object.assign(pool, { collection: run.collection });
  for (const _ in filters) {
    Object.assign(pool, { filters: pick(run.prepared.reads, filters) });
    break;
  }
  if (run.seeds !== NO_VALUES) Object.assign(pool, run.seeds);
  if (run.given !== NO_VALUES) Object.assign(pool, run.given);
  return run.pool = pool;
}

function pick(values: Readonly<Record<string, unknown>>, names: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(names)) picked[name] = values[name];
  return picked;
}
