import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import { withDeadline } from "../ports/with_deadline.ts";
import type { Call } from "./call.ts";
import type { Outcome } from "./outcome.ts";

/** How a call is bounded. */
interface Bound {
  /** What was called, for the log. */
  readonly called: { readonly tool: string } | { readonly method: string };
  /** What to answer instead. */
  readonly onExpiry: () => Outcome;
}

/**
 * Bounds a call: its client waits no longer than the deadline; the work is told and not torn (H-70,
 * H-71).
 *
 * @param outcome What the call comes to.
 * @param call The call.
 * @param ms The deadline in milliseconds; `null` for none.
 */
export function boundOutcome<T>(
  outcome: Awaitable<T>,
  call: Call,
  ms: number | null,
  { called, onExpiry }: Bound,
): Awaitable<T | Outcome> {
  if (ms === null || !isThenable(outcome)) return outcome;
  return withDeadline<T | Outcome>(outcome, ms, () => {
    call.stop("The deadline of the call has passed");
    call.log({
      level: "warning",
      event: "call.timeout",
      message: "A call took longer than its deadline",
      fields: { ...called, dispatchTimeoutMs: ms },
    });
    return onExpiry();
  });
}
