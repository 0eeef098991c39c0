import { InputSpent, NobodyToAsk } from "../kernel/input_required.ts";
import { admit, type Gate, notPermitted } from "../gate/admit.ts";
import type { Operation, RunResult } from "../kernel/operation.ts";
import { askCaller, explainProblems, prepareCall } from "../kernel/prepare_call.ts";
import { runCall } from "../kernel/run_call.ts";
import { ServiceNotFound, ServiceValidationError } from "../kernel/service_error.ts";
import { andThen, type Awaitable } from "../ports/awaitable.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Call } from "./call.ts";
import { askBack, type InputRequiredOutcome } from "./elicitation/ask_back.ts";
import { invalidState } from "./invalid_state.ts";
import { nobodyToAsk, whereAsked } from "./nobody_to_ask.ts";
import { type ErrorOutcome, failure, invalidParams } from "./outcome.ts";
import { ON_THE_ROW, refusedByGate } from "./refused_by_gate.ts";

/** An operation with what guards it. */
export interface GuardedOperation {
  readonly operation: Operation;
  readonly gate: Gate;
}

/** What an operation gave, or why there is nothing, in the words of a method that has no `isError`. */
export type BindingResult =
  | { readonly type: "value"; readonly value: unknown }
  /** With the words of a service that looked in vain. */
  | { readonly type: "not_found"; readonly message?: string }
  | InputRequiredOutcome
  | ErrorOutcome;

/**
 * Runs what stands behind a resource or a prompt: gate ▸ arguments ▸ run. Whoever is refused by the
 * gate hears nothing of the arguments.
 *
 * @param binding What is asked for.
 * @param call Who asks.
 * @param args What the caller sent.
 */
export function runBinding(
  binding: GuardedOperation,
  call: Call,
  args: JsonObject,
): Awaitable<BindingResult> {
  const prepared = prepareCall(binding.operation, call, args);
  return andThen(
    admit(binding.gate, call, () => askCaller(prepared)),
    (denied): Awaitable<BindingResult> => {
      if (denied !== undefined) return refusedByGate(denied, binding.operation, call.log);
      const ran = prepared.problems === undefined ? runCall(prepared) : explainProblems(prepared);
      return andThen(ran, (result) => explain(binding.operation, result, args, call));
    },
  );
}

function explain(
  operation: Operation,
  result: RunResult,
  args: JsonObject,
  call: Call,
): BindingResult {
  switch (result.type) {
    case "value":
    case "not_found":
      return result;
    case "denied":
      return refusedByGate(notPermitted(ON_THE_ROW), operation, call.log);
    case "input_required":
      return whereAsked(() => askBack(result.asked, call.input));
    case "shape_refused": {
      const { error, shapes } = result;
      const key = shapes.length === 1 ? shapes[0]! : "non_field_errors";
      return invalidParams("Invalid arguments", { detail: { [key]: [error.message] } });
    }
    case "invalid": {
      const { missing } = result.problems;
      const names = missing.map((name) => `\`${name}\``).join(", ");
      return invalidParams(
        missing.length === 0 ? "Invalid arguments" : `Missing required argument(s): ${names}`,
        {
          detail: result.problems.toTree(),
          ...(missing.length === 0 ? {} : { missing }),
          ...(operation.includeValidationValue ? { value: args } : {}),
        },
      );
    }
    case "refused": {
      const { error } = result;
      const { message } = error;
      if (error instanceof InputSpent) return invalidState(call, message);
      if (error instanceof NobodyToAsk && call.canAsk !== undefined) return nobodyToAsk(error);
      if (error instanceof ServiceNotFound) return { type: "not_found", message };
      return error instanceof ServiceValidationError
        ? invalidParams(message, { detail: error.detail })
        : { ...failure(ErrorCode.internalError, message), cause: error };
    }
  }
}
