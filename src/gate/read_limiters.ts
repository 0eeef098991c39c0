import type { RateLimiter } from "./rate_limiter.ts";

/** One limiter, or several that must all admit a call. */
export type RateLimiters = RateLimiter | readonly RateLimiter[];

/**
 * Reads limiters as an author gives them.
 *
 * @param given Anything.
 * @returns What they are, none for `undefined`; or, as a text, what they must be.
 */
export function readLimiters(given: unknown): readonly RateLimiter[] | string {
  if (given === undefined) return NONE;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) return "is empty, which would admit everything; leave it out instead";
  if (!list.every(isLimiter)) return "must be a rate limiter or a list of them";
  return Object.freeze([...list]);
}

const NONE: readonly RateLimiter[] = Object.freeze([]);

function isLimiter(value: unknown): value is RateLimiter {
  return typeof value === "object" && value !== null && "consume" in value &&
    typeof value.consume === "function";
}
