import type { Call } from "../features/call.ts";
import type { Outcome } from "../features/outcome.ts";
import type { Awaitable } from "../ports/awaitable.ts";

/**
 * Something that runs around every method: it may look at the call, change what it hands on, and look
 * at or replace the outcome. Values in, values out.
 *
 * @param call What is asked.
 * @param next Goes on, with this call or another.
 */
export type Around = (
  call: Call,
  next: (call: Call) => Promise<Outcome>,
) => Awaitable<Outcome>;

/** Puts a method inside what runs around it; the first of the list is the outermost. */
export function surround(
  around: readonly Around[],
  method: (call: Call) => Awaitable<Outcome>,
): (call: Call) => Awaitable<Outcome> {
  return around.reduceRight<(call: Call) => Awaitable<Outcome>>(
    (inner, outer) => (call) => outer(call, async (passed) => await inner(passed)),
    method,
  );
}
