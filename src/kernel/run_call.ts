import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { Prepared, Run, RunResult } from "./operation.ts";
import { presentValue } from "./present_value.ts";
import { ServiceError } from "./service_error.ts";

/**
 * Runs a prepared and admitted call through its stages.
 *
 * @returns The value to present, or why there is none; what a domain refuses is among the answers.
 * @throws Whatever else the callable, a validator or a stage threw: a fault.
 */
export function runCall(prepared: Prepared): Awaitable<RunResult> {
  const run: Run = { prepared, args: prepared.reads, value: undefined };
  try {
    const ended = runStages(run, 0);
    return isThenable(ended) ? ended.catch(toRefusal) : ended;
  } catch (error) {
    return toRefusal(error);
  }
}

function runStages(run: Run, first: number): Awaitable<RunResult> {
  const { stages } = run.prepared.operation;
  for (let i = first; i < stages.length; i++) {
    const ended = stages[i]!(run);
    if (isThenable(ended)) return ended.then((settled) => settled ?? runStages(run, i + 1));
    if (ended !== undefined) return ended;
  }
  return presentValue(run.prepared.operation, run.value);
}

function toRefusal(error: unknown): RunResult {
  if (error instanceof ServiceError) return { type: "refused", error };
  throw error;
}
