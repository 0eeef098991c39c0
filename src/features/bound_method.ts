import { ErrorCode } from "../protocol/error_code.ts";
import { boundOutcome } from "./bound_outcome.ts";
import type { Method } from "./call.ts";
import { failure } from "./outcome.ts";

/**
 * Bounds a method by the deadline of the server. `tools/call` bounds itself, since each tool may have
 * a deadline of its own.
 *
 * @param run The method.
 * @param ms The deadline in milliseconds; `null` for none.
 */
export function boundMethod(run: Method, ms: number | null): Method {
  return (call) => {
    const { method } = call;
    const onExpiry = () => failure(ErrorCode.internalError, `${method} took longer than ${ms} ms`);
    return boundOutcome(run(call), call, ms, { called: { method }, onExpiry });
  };
}
