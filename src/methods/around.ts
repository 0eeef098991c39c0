import type { Call } from "../features/call.ts";
import type { Outcome } from "../features/outcome.ts";
import type { Awaitable } from "../ports/awaitable.ts";

/**
 * Something that runs around every method: it may look at the call, change what it hands on, and look
 * at or replace the outcome. Values in, values out.
 *
 * @param call What is asked.
 * @param next Goes on, with this call or another.
 * @param target The registered name that the call asks for, such as a tool's, or a resource's declared
 * URI; absent where a method is about nothing in particular, or nothing has that name.
 */
export type Around = (
  call: Call,
  next: (call: Call) => Promise<Outcome>,
  target?: string,
) => Awaitable<Outcome>;

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
