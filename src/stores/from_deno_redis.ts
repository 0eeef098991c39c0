import type { RedisClient } from "./redis_client.ts";

/** What {@linkcode fromDenoRedis} uses of a client of `@db/redis`, version 0.32 or later. */
export interface DenoRedisClient {
  /** Sends a command. */
  sendCommand(command: string, args?: string[]): Promise<unknown>;
}

/**
 * Adapts a client of `@db/redis` (deno-redis). The caller closes it.
 *
 * The client sends a command again whose answer was lost with the connection, so that an increment
 * may count twice, and a caller who won a race may be told that he lost; with `maxRetryCount: 0` it
 * does not, and does not connect again either. It sends one command at a time.
 *
 * @example
 * ```ts
 * import { fromDenoRedis, redisStore } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * // const client = await connect({ hostname: "127.0.0.1" });
 * const client = { sendCommand: () => Promise.resolve("open") };
 * const store = redisStore(fromDenoRedis(client), { prefix: "invoices" });
 * assertEquals(await store.get("session:1"), "open");
 * ```
 */
export function fromDenoRedis(client: DenoRedisClient): RedisClient {
  return {
    command: async ([name = "", ...args], signal) => {
      signal.throwIfAborted();
      return await client.sendCommand(name, args);
    },
  };
}
