import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";
import { checkLimiter } from "./check_limiter.ts";
import { limitKey } from "./limit_key.ts";
import type { LimiterOptions, RateLimiter } from "./rate_limiter.ts";
import { retryAfter } from "./retry_after.ts";
import { updateState } from "./update_state.ts";

/** Options of {@linkcode slidingWindow}. */
export interface SlidingWindowOptions<User extends Principal = Principal>
  extends LimiterOptions<User> {
  /** How many calls any stretch of this length admits, at most 1000: the time of each is kept. */
  readonly maxCalls: number;
  /** How long the stretch is, in seconds. */
  readonly perSeconds: number;
}

const MAX_CALLS = 1000;

/**
 * Limits calls by their times: no stretch of that length, wherever it begins, holds more than the
 * quota. Exact, and the dearest limiter, since the times are kept; where the quota is large, take
 * `tokenBucket()`.
 *
 * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
 *
 * @example
 * ```ts
 * import { McpServer, slidingWindow, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "mail", version: "1.0.0" });
 * server.tool("send", {
 *   description: "Sends a mail.",
 *   effect: "act",
 *   permissions: [unrestricted],
 *   rateLimits: slidingWindow({ maxCalls: 5, perSeconds: 3600 }),
 * }, () => "sent");
 * ```
 */
export function slidingWindow<User extends Principal = Principal>(
  options: SlidingWindowOptions<User>,
): RateLimiter {
  checkLimiter("slidingWindow()", options, { maxCalls: "calls", perSeconds: "seconds" });
  const { maxCalls, perSeconds, ...rest } = options;
  if (maxCalls > MAX_CALLS) {
    throw new ConfigurationError(
      `Cannot create slidingWindow(): maxCalls must be at most ${MAX_CALLS}: take tokenBucket()`,
    );
  }
  const windowMs = perSeconds * 1000;
  const kind = `sliding/${maxCalls}/${perSeconds}`;
  return Object.freeze<RateLimiter>({
    consume: (charge) => {
      const { now, store } = charge;
      const count = (held: string | undefined): string | number => {
        const times = held === undefined ? [] : held.split(" ").map(Number);
        const moment = Math.max(now, times.at(-1) ?? now); // a clock behind must not forget calls
        const live = times.filter((time) => time > moment - windowMs);
        if (live.length < maxCalls) return [...live, moment].join(" ");
        return retryAfter((live[0]! + windowMs - now) / 1000);
      };
      return updateState(store, limitKey(kind, rest as LimiterOptions, charge), {
        ttlMs: windowMs,
        count,
      });
    },
  });
}
