import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import type { KeyValueStore } from "../stores/key_value_store.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import { retryAfter } from "./retry_after.ts";

/** Where counts are kept, and what time it is. */
export interface LimitContext {
  /** Where counts are kept. */
  readonly store: KeyValueStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The limiters of one binding, and what they count with. */
export interface Limits extends LimitContext {
  /** Asked in order, all of them must admit a call. */
  readonly limiters: readonly RateLimiter[];
  /** Whose quota it is, where a limiter names none. */
  readonly namespace: string;
}

/** Who calls, and from where. */
export interface Visitor {
  /** Who calls. */
  readonly caller: Caller;
  /** What the platform passed. */
  readonly host: HostContext;
}

/**
 * Charges one call to every limiter, in order; the first that refuses ends it (RL-1).
 *
 * @returns `undefined` for an admitted call, else the seconds to wait, an integer of at least 1.
 */
export async function chargeLimits(
  { limiters, namespace, store, now }: Limits,
  { caller, host }: Visitor,
): Promise<number | undefined> {
  for (const limiter of limiters) {
    const seconds = await limiter.consume({ caller, host, namespace, store, now: now() });
    if (seconds !== undefined) return retryAfter(seconds);
  }
  return undefined;
}
