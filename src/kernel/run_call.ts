import { andThen, type Awaitable, isThenable } from "../ports/awaitable.ts";
import { InputRequired, InputSpent } from "./input_required.ts";
import type { Given } from "./ask.ts";
import type { Prepared, Run, RunResult, Stage } from "./operation.ts";
import { NO_VALUES } from "./pool.ts";
import { presentRun } from "./present_run.ts";
import { ServiceError } from "./service_error.ts";

/**
 * Runs a prepared and admitted call through its stages, and presents what it answers.
 *
 * @param stages Default: all that the operation has.
 * @returns The value to serve, or why there is none; what a domain refuses is among the answers.
 * @throws Whatever else the callable, a validator, a stage or a presenter threw: a fault.
 */
export function runCall(
  prepared: Prepared,
  stages: readonly Stage[] = prepared.operation.stages,
): Awaitable<RunResult> {
  const run = createRun(prepared);
  const settled = settleStages(run, stages);
  const result = isThenable(settled)
    ? settled.then((ended) => ended ?? presentRun(run))
    : settled ?? presentRun(run);
  if (prepared.operation.spec.action === undefined) return result;
  return andThen(result, (ended) => tellWritten(ended, run));
}

/**
 * Runs what stands before work that is put off, `prepare` at the end of it.
 *
 * @returns What ends the call here, `undefined` where the work may follow.
 * @throws Whatever a callable throws that refuses nothing: a fault.
 */
export function openCall(prepared: Prepared): Awaitable<RunResult | undefined> {
  const { openingStages } = prepared.operation;
  return openingStages.length === 0 ? undefined : settleStages(createRun(prepared), openingStages);
}

/** A run that has not begun. */
export function createRun(prepared: Prepared): Run {
  return {
    prepared,
    input: prepared.input,
    args: prepared.reads,
    seeds: NO_VALUES,
    given: NO_VALUES,
    instance: undefined,
    collection: undefined,
    pool: undefined,
    later: { work: undefined, asker: undefined },
    value: undefined,
  };
}

/** A transport may answer a write by what it was about (W-30). */
function tellWritten(ended: RunResult, { args, instance }: Run): RunResult {
  return ended.type === "value" ? { ...ended, written: { args, instance } } : ended;
}

/**
 * What ends the call before it is presented, refusals of the domain included.
 *
 * @param isRedeemed Whether what the user has agreed to is used up for this run. Default `false`.
 */
export function settleStages(
  run: Run,
  stages: readonly Stage[],
  isRedeemed = false,
): Awaitable<RunResult | undefined> {
  const { input } = run.prepared.context;
  if (!isRedeemed && input?.redeem !== undefined && agreesToSomething(input)) {
    return redeemFirst(input.redeem, run, stages);
  }
  try {
    const ended = runStages(run, stages, 0);
    return isThenable(ended) ? ended.catch((error) => toRefusal(run, error)) : ended;
  } catch (error) {
    return toRefusal(run, error);
  }
}

/** What the user has agreed to works once, whatever becomes of it. */
async function redeemFirst(
  redeem: () => Promise<boolean>,
  run: Run,
  stages: readonly Stage[],
): Promise<RunResult | undefined> {
  if (await redeem()) return await settleStages(run, stages, true);
  return { type: "refused", error: new InputSpent("It was used before") };
}

function agreesToSomething({ consents, confirmation }: Given): boolean {
  return consents.length > 0 || confirmation?.action === "accept";
}

function runStages(
  run: Run,
  stages: readonly Stage[],
  first: number,
): Awaitable<RunResult | undefined> {
  for (let i = first; i < stages.length; i++) {
    const ended = stages[i]!(run);
    if (isThenable(ended)) return ended.then((settled) => settled ?? runStages(run, stages, i + 1));
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
