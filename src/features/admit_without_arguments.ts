import { admit } from "../gate/admit.ts";
import { askOperation } from "../kernel/prepare_call.ts";
import { andThen, type Awaitable } from "../ports/awaitable.ts";
import type { Call } from "./call.ts";
import type { ErrorOutcome } from "./outcome.ts";
import { refusedByGate } from "./refused_by_gate.ts";
import type { GuardedOperation } from "./run_binding.ts";

/**
 * Asks the gate of an operation where there are no arguments, or none that could be read.
 *
 * @returns The refusal, or `undefined` for an admitted caller.
 */
export function admitWithoutArguments(
  { gate, operation }: GuardedOperation,
  call: Call,
): Awaitable<ErrorOutcome | undefined> {
  return andThen(
    admit(gate, call, () => askOperation(operation, call, {})),
    (denied) => denied && refusedByGate(denied, operation, call.log),
  );
}
