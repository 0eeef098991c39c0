import { isThenable } from "../ports/awaitable.ts";
import type { Problems } from "../schema/problems.ts";
import type { Prepared } from "./prepare_call.ts";
import { presentValue } from "./present_value.ts";
import { ServiceError } from "./service_error.ts";
import type { Run } from "./stages.ts";

/** How a call ended, where it did not fail. */
export type RunResult =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "not_found" }
  | { readonly type: "invalid"; readonly problems: Problems }
  | { readonly type: "refused"; readonly error: ServiceError };

/**
 * Runs a prepared and admitted call through its stages.
 *
 * @returns The value to present, or why there is none. Never rejects for what a domain refuses.
 * @throws Whatever else the callable, a validator or a stage threw: a fault.
 */
export async function runCall(prepared: Prepared): Promise<RunResult> {
  const run: Run = { prepared, args: prepared.reads, value: undefined };
  try {
    for (const stage of prepared.operation.stages) {
      let ended = stage(run);
      if (isThenable(ended)) ended = await ended;
      if (ended !== undefined) return ended;
    }
    const presented = presentValue(prepared.operation, run.value);
    return isThenable(presented) ? await presented : presented;
  } catch (error) {
    if (error instanceof ServiceError) return { type: "refused", error };
    throw error;
  }
}
