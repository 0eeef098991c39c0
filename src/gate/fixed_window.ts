import type { Principal } from "../ports/principal.ts";
import { checkLimiter } from "./check_limiter.ts";
import { limitKey } from "./limit_key.ts";
import type { LimiterOptions, RateLimiter } from "./rate_limiter.ts";
import { retryAfter } from "./retry_after.ts";

/** Options of {@linkcode fixedWindow}. */
export interface FixedWindowOptions<User extends Principal = Principal>
  extends LimiterOptions<User> {
  /** How many calls a window admits. */
  readonly maxCalls: number;
  /** How long a window is, in seconds. */
  readonly perSeconds: number;
}

/** How far the clocks of two processes may be apart before a window is counted twice. */
const CLOCK_SKEW_MS = 5000;

/**
 * Limits calls by a count that begins again with every window. The cheapest limiter, one step in the
 * store; around the turn of a window up to twice the quota may pass.
 *
 * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
 *
 * @example
 * ```ts
 * import { fixedWindow, McpServer, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "search", version: "1.0.0" });
 * server.tool("search", {
 *   description: "Searches.",
 *   effect: "read",
 *   permissions: [unrestricted],
 *   rateLimits: fixedWindow({ maxCalls: 100, perSeconds: 60 }),
 * }, () => "nothing found");
 * ```
 */
export function fixedWindow<User extends Principal = Principal>(
  options: FixedWindowOptions<User>,
): RateLimiter {
  checkLimiter("fixedWindow()", options, { maxCalls: "calls", perSeconds: "seconds" });
  const { maxCalls, perSeconds, ...rest } = options;
  const windowMs = perSeconds * 1000;
  const kind = `fixed/${maxCalls}/${perSeconds}`;
  return Object.freeze<RateLimiter>({
    consume: async (charge) => {
      const { now, store } = charge;
      const window = Math.floor(now / windowMs);
      const leftMs = (window + 1) * windowMs - now;
      const key = `${limitKey(kind, rest as LimiterOptions, charge)}:${window}`;
      const calls = await store.increment(key, 1, { ttlMs: leftMs + CLOCK_SKEW_MS });
      return calls > maxCalls ? retryAfter(leftMs / 1000) : undefined;
    },
  });
}
