import { callerKey } from "./caller_key.ts";
import type { Charge, LimiterOptions } from "./rate_limiter.ts";

/**
 * The store's key for a count.
 *
 * @param kind The limiter's kind and numbers: limiters that differ never share a count.
 * @param options Its options.
 * @param charge What is counted.
 * @throws {TypeError} when the author's `key` answers no text.
 */
export function limitKey(kind: string, options: LimiterOptions, charge: Charge): string {
  const { namespace = charge.namespace } = options;
  return `limit:${kind}:${JSON.stringify([namespace, whoOf(options, charge)])}`;
}

/** Callers of whom nothing is known share one count. */
function whoOf({ key }: LimiterOptions, { caller, host }: Charge): string {
  if (key === undefined) return callerKey(caller, host) ?? "a:unknown";
  const who: unknown = key({ user: caller.user, token: caller.token, host });
  if (typeof who === "string") return `k:${who}`;
  throw new TypeError(`Cannot count a call: key must answer a text: got ${typeof who}`);
}
