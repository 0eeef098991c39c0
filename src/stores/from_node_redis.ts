import type { RedisConnection, RedisListener } from "./redis_client.ts";

/** What {@linkcode fromNodeRedis} uses of a client of the package `redis`, version 5 or later. */
export interface NodeRedisClient {
  /** Sends a command. */
  sendCommand(
    args: readonly string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<unknown>;
  /** Subscribes to a channel. */
  subscribe(
    channel: string,
    listener: (message: string, channel: string) => void,
  ): Promise<unknown>;
  /** Ends a subscription. */
  unsubscribe(
    channel: string,
    listener: (message: string, channel: string) => void,
  ): Promise<unknown>;
  /** Listens to an event. */
  on(event: string, listener: () => void): unknown;
}

/**
 * Adapts a client of the package `redis` (node-redis). The caller connects it, and closes it.
 *
 * It takes the client's `error` event, which would end the process if nobody listened. Calls tell of
 * errors anyway; add a listener to log them.
 *
 * @example
 * ```ts
 * import { fromNodeRedis, redisStore } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * // const client = await createClient({ url: "redis://127.0.0.1:6379" }).connect();
 * const client = {
 *   sendCommand: () => Promise.resolve("open"),
 *   subscribe: () => Promise.resolve(),
 *   unsubscribe: () => Promise.resolve(),
 *   on: () => {},
 * };
 * const store = redisStore(fromNodeRedis(client), { prefix: "invoices" });
 * assertEquals(await store.get("session:1"), "open");
 * ```
 */
export function fromNodeRedis(client: NodeRedisClient): RedisConnection {
  let listener: RedisListener | undefined;
  const receive = (message: string, channel: string) => listener?.message(channel, message);
  const lose = () => listener?.lost();
  client.on("error", lose);
  client.on("end", lose);
  return {
    command: (args, signal) => client.sendCommand(args, { abortSignal: signal }),
    listen: (given) => void (listener = given),
    subscribe: (channel) => client.subscribe(channel, receive),
    unsubscribe: (channel) => client.unsubscribe(channel, receive),
  };
}
