import type { Call } from "../features/call.ts";
import type { Outcome } from "../features/outcome.ts";
import type { RefusalReason } from "../protocol/refusal.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import { callHook } from "../ports/call_hook.ts";

/**
 * Something that runs around every method: it may look at the call, change what it hands on, and look
 * at or replace the outcome. Values in, values out.
 *
 * @param call What is asked.
 * @param next Goes on, with this call or another.
 * @param target The registered name that the call asks for, such as a tool's, or a resource's declared
 * URI; absent where a method is about nothing in particular, or nothing has that name.
 */
export interface Around {
  (
    call: Call,
    next: (call: Call) => Promise<Outcome>,
    target?: string,
  ): Awaitable<Outcome>;
  /**
   * Told of each request that was turned away before any method ran, such as with 401. Default: is not
   * told.
   */
  readonly refused?: (refusal: RefusedRequest) => void;
}

/** A request that was turned away. */
export interface RefusedRequest {
  /** Which rung of the ladder refused, or `"busy"` where too many calls were in flight. */
  readonly reason: RefusalReason | "busy";
  /** HTTP status of the answer. */
  readonly status: number;
}

/** Puts a method inside what runs around it; the first of the list is the outermost. */
export function surround(
  around: readonly Around[],
  method: (call: Call) => Awaitable<Outcome>,
  target: string | undefined,
): (call: Call) => Awaitable<Outcome> {
  return around.reduceRight<(call: Call) => Awaitable<Outcome>>(
    (inner, outer) => (call) => outer(call, async (passed) => await inner(passed), target),
    method,
  );
}

/** Tells whatever runs around methods of a request that none of them sees. */
export function tellRefused(around: readonly Around[], refusal: RefusedRequest): void {
  for (const one of around) {
    callHook(() => one.refused?.(refusal)); // where it fails, the answer is the same
  }
}
