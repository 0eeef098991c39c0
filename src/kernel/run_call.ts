import { andThen, type Awaitable, isThenable } from "../ports/awaitable.ts";
import { InputRequired } from "./input_required.ts";
import type { Prepared, Run, RunResult } from "./operation.ts";
import type { SeedValues } from "./pool.ts";
import { presentRun } from "./present_run.ts";
import { ServiceError } from "./service_error.ts";

const NONE: SeedValues = Object.freeze({});

/**
 * Runs a prepared and admitted call through its stages, and presents what it answers.
 *
 * @returns The value to serve, or why there is none; what a domain refuses is among the answers.
 * @throws Whatever else the callable, a validator, a stage or a presenter threw: a fault.
 */
export function runCall(prepared: Prepared): Awaitable<RunResult> {
  const run: Run = {
    prepared,
    input: prepared.input,
    args: prepared.reads,
    seeds: NONE,
    given: NONE,
    instance: undefined,
    collection: undefined,
    pool: undefined,
    later: { work: undefined, asker: undefined },
    value: undefined,
  };
  return andThen(settleStages(run), (ended) => ended ?? presentRun(run));
}

/** What ends the call before it is presented, refusals of the domain included. */
function settleStages(run: Run): Awaitable<RunResult | undefined> {
  try {
    const ended = runStages(run, 0);
    return isThenable(ended) ? ended.catch((error) => toRefusal(run, error)) : ended;
  } catch (error) {
    return toRefusal(run, error);
  }
}

function runStages(run: Run, first: number): Awaitable<RunResult | undefined> {
  const { stages } = run.prepared.operation;
  for (let i = first; i < stages.length; i++) {
    const ended = stages[i]!(run);
    if (isThenable(ended)) return ended.then((settled) => settled ?? runStages(run, i + 1));
    if (ended !== undefined) return ended;
  }
  return undefined;
}

function toRefusal({ prepared, later }: Run, thrown: unknown): RunResult {
  const { translateError } = prepared.operation;
  const error = later.asker?.ending ?? thrown; // code and libraries wrap what they are thrown
  if (error instanceof InputRequired) return { type: "input_required", asked: error.asked };
  if (error instanceof ServiceError) return { type: "refused", error };
  const translated = translateError?.(error);
  if (translated instanceof ServiceError) return { type: "refused", error: translated };
  throw error;
}
