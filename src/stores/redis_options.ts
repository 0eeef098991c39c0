import { ConfigurationError } from "../ports/configuration_error.ts";

/** Options of everything that talks to Redis. */
export interface RedisOptions {
  /**
   * Begins every key and channel, followed by a colon: 1 to 64 letters, digits, `-`, `_` and `.`.
   * Servers that share a Redis must not share a prefix, or they share their sessions and limits.
   */
  readonly prefix: string;
  /**
   * How long to wait for an answer of Redis, in milliseconds. Default 2000. The client may use that
   * time to connect again; then the call rejects with a `StoreUnavailableError`.
   */
  readonly commandTimeoutMs?: number;
}

/**
 * Checks the options of a store or broker on Redis.
 *
 * @returns What keys and channels begin with, and the timeout.
 * @throws {ConfigurationError} when the prefix or the timeout cannot be used.
 */
export function readRedisOptions(
  { prefix, commandTimeoutMs = 2000 }: RedisOptions,
): { readonly start: string; readonly timeoutMs: number } {
  // Without a colon in it, no prefix begins another.
  if (typeof prefix !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(prefix)) {
    throw new ConfigurationError(
      "Cannot use Redis: prefix must be 1 to 64 letters, digits, hyphens, underscores and dots: " +
        `got ${JSON.stringify(prefix)}`,
    );
  }
  // setTimeout takes no more.
  if (!(commandTimeoutMs > 0 && commandTimeoutMs < 2 ** 31)) {
    throw new ConfigurationError(
      `Cannot use Redis: commandTimeoutMs must be positive and below 2^31: got ${commandTimeoutMs}`,
    );
  }
  return { start: `${prefix}:`, timeoutMs: commandTimeoutMs };
}
