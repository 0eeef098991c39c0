import { isThenable } from "../ports/awaitable.ts";
import { withDeadline } from "../ports/with_deadline.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Method } from "./call.ts";
import { failure, type Outcome } from "./outcome.ts";

/**
 * Bounds a method: a client waits no longer than the deadline; the work is told and not torn (H-70).
 *
 * @param run The method. `tools/call` bounds itself, since each tool may have a deadline of its own.
 * @param ms The deadline in milliseconds; `null` for none.
 */
export function boundMethod(run: Method, ms: number | null): Method {
  if (ms === null) return run;
  return (call) => {
    const outcome = run(call);
    if (!isThenable(outcome)) return outcome;
    const { method } = call;
    return withDeadline<Outcome>(outcome, ms, () => {
      call.stop("The deadline of the call has passed");
      call.log({
        level: "warning",
        event: "call.timeout",
        message: "A call took longer than its deadline",
        fields: { method, dispatchTimeoutMs: ms },
      });
      return failure(ErrorCode.internalError, `${method} took longer than ${ms} ms`);
    });
  };
}
