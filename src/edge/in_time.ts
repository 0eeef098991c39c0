import { withDeadline } from "../ports/with_deadline.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Refusal } from "../protocol/refusal.ts";

/** What is waited for, and how long. */
export interface InTimeOptions {
  /** How long it may take, in milliseconds; `null` for ever. */
  readonly ms: number | null;
  /** What it is, for the message: `"Authentication"`. */
  readonly what: string;
  /** The JSON-RPC id of the request, where it has one. */
  readonly id?: RequestId | undefined;
}

/**
 * Waits for what stands before a call: an authenticator, a store, a broker. One that never answers
 * must not keep requests for ever, which no bound of calls counts yet (B13).
 *
 * @returns What it answers, or the 503 where that takes too long.
 */
export async function inTime<T>(
  work: Promise<T>,
  { ms, what, id }: InTimeOptions,
): Promise<T | Refusal> {
  if (ms === null) return await work;
  return await withDeadline<T | Refusal>(work, ms, () => ({
    refused: "timeout",
    status: 503,
    error: { code: ErrorCode.internalError, message: `${what} took too long` },
    ...(id === undefined ? {} : { id }),
  }));
}
