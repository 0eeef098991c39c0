import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";
import { checkLimiter } from "./check_limiter.ts";
import { limitKey } from "./limit_key.ts";
import type { LimiterOptions, RateLimiter } from "./rate_limiter.ts";
import { retryAfter } from "./retry_after.ts";
import { updateState } from "./update_state.ts";

/** Options of {@linkcode tokenBucket}. */
export interface TokenBucketOptions<User extends Principal = Principal>
  extends LimiterOptions<User> {
  /** How many calls may come at once. */
  readonly capacity: number;
  /** How many calls a second are admitted in the long run; a fraction where it is fewer than one. */
  readonly refillPerSecond: number;
}

const MAX_FILL_SECONDS = 31_622_400;

/** How long a state is kept at least, in milliseconds. */
const MIN_TTL_MS = 60_000;

/** What additions of fractions may lose of a token. */
const ROUNDING = 1e-9;

/**
 * Limits calls by a bucket that starts full, loses a token with each call and fills up at a steady
 * rate: short bursts pass, and the long run is bounded.
 *
 * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
 *
 * @example
 * ```ts
 * import { McpServer, tokenBucket, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "search", version: "1.0.0" });
 * server.tool("search", {
 *   description: "Searches.",
 *   effect: "read",
 *   permissions: [unrestricted],
 *   rateLimits: tokenBucket({ capacity: 20, refillPerSecond: 2 }),
 * }, () => "nothing found");
 * ```
 */
export function tokenBucket<User extends Principal = Principal>(
  options: TokenBucketOptions<User>,
): RateLimiter {
  checkLimiter("tokenBucket()", options, { capacity: "calls", refillPerSecond: "rate" });
  const { capacity, refillPerSecond, ...rest } = options;
  if (capacity / refillPerSecond > MAX_FILL_SECONDS) {
    throw new ConfigurationError(
      "Cannot create tokenBucket(): refillPerSecond must fill the bucket within a year",
    );
  }
  const ttlMs = Math.max((2 * capacity / refillPerSecond) * 1000, MIN_TTL_MS);
  const kind = `bucket/${capacity}/${refillPerSecond}`;
  return Object.freeze<RateLimiter>({
    consume: (charge) => {
      const { now, store } = charge;
      const count = (held: string | undefined): string | number => {
        const [tokens, since] = held === undefined ? [capacity, now] : readState(held);
        const moment = Math.max(now, since); // a clock behind must not fill the bucket twice
        const filled = Math.min(capacity, tokens + (moment - since) / 1000 * refillPerSecond);
        if (filled >= 1 - ROUNDING) return `${Math.max(0, filled - 1)} ${moment}`;
        return retryAfter((moment - now) / 1000 + (1 - ROUNDING - filled) / refillPerSecond);
      };
      return updateState(store, limitKey(kind, rest as LimiterOptions, charge), { ttlMs, count });
    },
  });
}

function readState(held: string): readonly [tokens: number, since: number] {
  return held.split(" ").map(Number) as [number, number];
}
