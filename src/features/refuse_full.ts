import { overLimit } from "../gate/over_limit.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Call } from "./call.ts";
import type { ErrorOutcome } from "./outcome.ts";
import { refusedByGate } from "./refused_by_gate.ts";

/** After how many seconds to try again. */
const RETRY_AFTER_S = 1;

/**
 * The refusal of a call for which there is no room (B13).
 *
 * @param full Whose bound is reached: the caller's, which is a limit like others, or the process's,
 * which is no fault of the caller and a 503.
 */
export function refuseFull(full: "caller" | "process", { method, log }: Call): ErrorOutcome {
  if (full === "caller") return refusedByGate(overLimit(RETRY_AFTER_S), { where: method }, log);
  log({
    level: "warning",
    event: "server.busy",
    message: "A call was refused: too many are in flight in this process",
    fields: { method },
  });
  return {
    type: "error",
    error: { code: ErrorCode.internalError, message: "The server is busy" },
    status: 503,
    retryAfter: RETRY_AFTER_S,
  };
}
