import type { Run, RunResult } from "./operation.ts";
import { createSeedPool, type Pool } from "./pool.ts";

/** Runs a service inside the server's transaction: what it throws rolls back, and is thrown on. */
export async function runAtomic(run: Run, pool: Pool): Promise<RunResult | undefined> {
  const { operation, context } = run.prepared;
  const work = async (): Promise<unknown> => {
    const value = await operation.spec.callable(pool as never);
    run.later.asker?.settle();
    return value;
  };
  run.value = await operation.transaction!(work, createSeedPool(context));
  return undefined;
}

/** Does what waited for the commit; what goes wrong there is logged and fails nothing (K-64). */
export async function runLater(run: Run): Promise<undefined> {
  const { context, operation } = run.prepared;
  for (const work of run.later.work ?? []) {
    try {
      await work();
    } catch (cause) {
      context.log({
        level: "error",
        event: "after_commit.fault",
        message: `${operation.where}: work after the commit failed`,
        cause,
      });
    }
  }
}
