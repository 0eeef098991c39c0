import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";
import type { RateLimiter } from "./rate_limiter.ts";
import { type RateLimiters, readLimiters } from "./read_limiters.ts";

/** Limits of the whole server, beside those of its bindings. */
export interface LimitOptions {
  /** What one caller may do, over all methods. */
  readonly perCaller?: CallerLimitOptions;
  /**
   * How many requests with a wrong or missing credential an address may send; past that its requests
   * are refused for a while before their credential is looked at, so that nobody tries credentials at
   * leisure or keeps the server busy with verifying them. Default: no limit. People behind one address share it, so be generous;
   * behind a proxy set `trustedProxies`, or one visitor can have everybody refused. Requests whose
   * address is unknown are not counted.
   */
  readonly failedAuthentication?: RateLimiters;
  /**
   * How many calls all callers together may have in flight in this process. Past that a call is
   * answered with 503 and `Retry-After`, which a load balancer takes for a reason to ask another
   * process; callers who have more than their share are refused before. Default 1000: without a bound,
   * whoever has many addresses decides how much memory the process takes.
   */
  readonly maxInFlight?: number;
}

/** What one caller may do: a caller is an id, or an address where there is no id. */
export interface CallerLimitOptions {
  /** How many requests a caller may send, whatever their method. Default: no limit. */
  readonly rateLimits?: RateLimiters;
  /**
   * How many calls a caller may have in flight in this process. Default 20, so that one caller cannot
   * take all there is. Anonymous callers count by address: behind a proxy, set `trustedProxies` or
   * they count as one. Where no address is known they are not counted.
   */
  readonly maxInFlight?: number;
}

/** The options, checked, with every default filled in. */
export interface ServerLimits {
  readonly perCaller: readonly RateLimiter[];
  readonly failedAuthentication: readonly RateLimiter[];
  readonly maxInFlight: number;
  readonly maxInFlightPerCaller: number;
}

/**
 * Checks the option `limits` of a server.
 *
 * @throws {ConfigurationError} when it is wrong, naming the property.
 */
export function readServerLimits(options: LimitOptions = {}): ServerLimits {
  checkKeys("limits", options, ["failedAuthentication", "maxInFlight", "perCaller"]);
  const { perCaller = {}, failedAuthentication, maxInFlight = 1000 } = options;
  checkKeys("limits.perCaller", perCaller, ["maxInFlight", "rateLimits"]);
  const { maxInFlight: maxInFlightPerCaller = 20, rateLimits } = perCaller;
  checkCount("limits.maxInFlight", maxInFlight);
  checkCount("limits.perCaller.maxInFlight", maxInFlightPerCaller);
  return {
    perCaller: limitersOf("limits.perCaller.rateLimits", rateLimits),
    failedAuthentication: limitersOf("limits.failedAuthentication", failedAuthentication),
    maxInFlight,
    maxInFlightPerCaller,
  };
}

function checkCount(name: string, count: unknown): void {
  if (Number.isSafeInteger(count) && count as number >= 1) return;
  throw invalid(name, "must be an integer of at least 1");
}

function limitersOf(name: string, given: unknown): readonly RateLimiter[] {
  const limiters = readLimiters(given);
  if (typeof limiters === "string") throw invalid(name, limiters);
  return limiters;
}

function checkKeys(name: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalid(name, "must be an object");
  }
  const stray = findStray(options, known, "an option");
  if (stray !== undefined) {
    throw new ConfigurationError(`Cannot create server: option ${name}.${stray}`);
  }
}

function invalid(name: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create server: option ${name} ${problem}`);
}
