import type { Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Caller, Principal, Token } from "../ports/principal.ts";
import type { KeyValueStore } from "../stores/key_value_store.ts";

/**
 * Counts calls, and says when there were too many. `fixedWindow()`, `slidingWindow()` and
 * `tokenBucket()` make one; an author may write another.
 */
export interface RateLimiter {
  /**
   * Counts one call.
   *
   * @returns `undefined` where it is admitted, else after how many seconds another may be.
   */
  readonly consume: (charge: Charge) => Awaitable<number | undefined>;
}

/** One call that is counted. */
export interface Charge {
  /** Who calls. */
  readonly caller: Caller;
  /** What the platform passed. */
  readonly host: HostContext;
  /** Whose quota it is, where the limiter names none: the binding's name. */
  readonly namespace: string;
  /** Where the count is kept. Keys begin with `limit:`, so that a full store may drop them. */
  readonly store: KeyValueStore;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a limiter's `key` is told. */
export interface KeyPool<User extends Principal = Principal> {
  /** Whoever calls. */
  readonly user: User;
  /** The credential, if there was one. */
  readonly token: Token | undefined;
  /** What the platform passed. */
  readonly host: HostContext;
}

/** What all limiters have in common. */
export interface LimiterOptions<User extends Principal = Principal> {
  /**
   * Whose quota it is: bindings with the same one, and the same numbers, share it. Default: the
   * binding's name, so that every binding has its own.
   */
  readonly namespace?: string;
  /**
   * Who shares a count. Default: the caller's id, or the address of a caller without one. Take
   * nothing that a caller can choose, such as a header or an argument: a new value is a new quota.
   */
  readonly key?: (pool: KeyPool<User>) => string;
}
