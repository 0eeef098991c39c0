import type { Gate } from "../gate/admit.ts";
import type { LimitContext } from "../gate/charge_limits.ts";
import { type RateLimiters, readLimiters } from "../gate/read_limiters.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import { readScopes } from "./read_scopes.ts";

/** What guards a binding, beside the permissions of its spec. */
export interface GateOptions {
  /** What the binding is called: whose quota it is, where a limiter names none. */
  readonly name: string;
  /** Scopes a token must carry, all of them. Default: none are asked for. */
  readonly scopes?: string | readonly string[];
  /**
   * How many calls are admitted, by one limiter or several that must all agree. Only a caller whom
   * scopes and permissions admitted is charged, once a call. Default: no limit.
   */
  readonly rateLimits?: RateLimiters;
}

/**
 * Reads what guards a binding.
 *
 * @param options The options of the binding.
 * @param limiting What rate limits count with.
 * @param where Whose they are, for errors: `tool "a"`.
 * @throws {ConfigurationError} when an option is wrong, naming it.
 */
export function readGate(
  { name, scopes, rateLimits }: GateOptions,
  limiting: LimitContext,
  where: string,
): Gate {
  const limiters = readLimiters(rateLimits);
  if (typeof limiters === "string") {
    throw new ConfigurationError(`Cannot register ${where}: rateLimits ${limiters}`);
  }
  return {
    scopes: readScopes(scopes, where),
    limits: limiters.length === 0 ? undefined : { ...limiting, limiters, namespace: name },
  };
}
