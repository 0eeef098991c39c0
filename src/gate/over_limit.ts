import { ErrorCode } from "../protocol/error_code.ts";
import type { RpcError } from "../protocol/rpc_error.ts";

/** The refusal of a call that is over a limit. */
export interface OverLimit {
  /** What the caller is told. */
  readonly error: RpcError;
  /** Always the same: for the log. */
  readonly because: string;
  /** After how many seconds to try again. */
  readonly retryAfter: number;
}

/**
 * Refuses a call that is over a limit.
 *
 * @param retryAfter After how many seconds to try again, an integer of at least 1.
 */
export function overLimit(retryAfter: number): OverLimit {
  return {
    error: { code: ErrorCode.rateLimited, message: "Rate limit exceeded", data: { retryAfter } },
    because: "A limit was reached",
    retryAfter,
  };
}
