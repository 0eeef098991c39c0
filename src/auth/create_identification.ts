import type { LimitContext, Limits } from "../gate/charge_limits.ts";
import { FailedAuthentication } from "../gate/failed_authentication.ts";
import type { RateLimiter } from "../gate/rate_limiter.ts";
import type { ServerLimits } from "../gate/server_limits.ts";
import type { Authentication } from "./authentication.ts";
import type { Identification } from "./identify.ts";

/**
 * Brings together how a server tells its callers apart and counts them.
 *
 * @param authenticate Answers who calls.
 * @param limits What callers may do.
 * @param context What the limits count with.
 */
export function createIdentification(
  authenticate: Authentication,
  { perCaller, failedAuthentication }: ServerLimits,
  context: LimitContext,
): Identification {
  const limitsOf = (namespace: string, limiters: readonly RateLimiter[]): Limits | undefined =>
    limiters.length === 0 ? undefined : { ...context, limiters, namespace };
  const failures = limitsOf("server:401", failedAuthentication);
  return {
    authenticate,
    perCaller: limitsOf("server:caller", perCaller),
    failures: failures && new FailedAuthentication(failures),
  };
}
