import type { Run } from "./operation.ts";
import { createPool, type Pool } from "./pool.ts";

/** The pool of a run: made once, when the arguments are complete. */
export function createRunPool(run: Run): Pool {
  if (run.pool !== undefined) return run.pool;
  const pool = createPool(run.args, run.prepared.context, run.later);
  const { target, filters } = run.prepared.operation.spec;
  const more: Record<string, unknown> = {};
  if (target !== undefined) {
    if (target.kind === "retrieve") more.instance = run.instance;
    else more.collection = run.collection;
  }
  for (const _ in filters) {
    more.filters = pick(run.prepared.reads, filters);
    break;
  }
  run.pool = Object.assign(pool, more, run.seeds, run.given);
  return run.pool;
}

function pick(values: Readonly<Record<string, unknown>>, names: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of Object.keys(names)) picked[name] = values[name];
  return picked;
}
