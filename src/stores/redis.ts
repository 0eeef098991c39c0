/**
 * State in Redis, for a server that runs in several processes: a store for everything it remembers,
 * and a broker for what it tells its listeners.
 *
 * A client of the author's goes in, through one of the adapters, and a `KeyValueStore` or a `Broker`
 * comes out. Nothing here imports a client, opens or closes a connection, or lists keys; every key and
 * channel begins with the prefix that was named. Each call ends in time, with a
 * {@linkcode StoreUnavailableError} where Redis is gone.
 *
 * @example
 * ```ts
 * import { fromNodeRedis, redisBroker, redisStore } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * // const client = await createClient({ url: "redis://127.0.0.1:6379" }).connect();
 * // const subscriber = await client.duplicate().connect();
 * const client = {
 *   sendCommand: (args: readonly string[]) => Promise.resolve(args[0] === "PUBLISH" ? 0 : "OK"),
 *   subscribe: () => Promise.resolve(),
 *   unsubscribe: () => Promise.resolve(),
 *   on: () => {},
 * };
 * const subscriber = client;
 *
 * const connection = fromNodeRedis(client);
 * const store = redisStore(connection, { prefix: "invoices" });
 * const broker = redisBroker(
 *   { publisher: connection, subscriber: fromNodeRedis(subscriber) },
 *   { prefix: "invoices" },
 * );
 * assertEquals(await store.set("mark:1", "used", { ttlMs: 600_000, ifAbsent: true }), true);
 * assertEquals(await broker.publish("resource:invoice://1", "{}"), 0);
 * ```
 *
 * @module
 */
export { ConfigurationError } from "../ports/configuration_error.ts";
export type {
  Broker,
  BrokerMessage,
  SubscribeOptions,
  Subscription,
  SubscriptionEnd,
} from "./broker.ts";
export { type DenoRedisClient, fromDenoRedis } from "./from_deno_redis.ts";
export {
  type DenoRedisSubscriberClients,
  type DenoRedisSubscription,
  fromDenoRedisSubscriber,
} from "./from_deno_redis_subscriber.ts";
export { fromIoredis, type IoredisClient } from "./from_ioredis.ts";
export { fromNodeRedis, type NodeRedisClient } from "./from_node_redis.ts";
export type {
  CompareAndSetOptions,
  IncrementOptions,
  KeyValueStore,
  SetOptions,
} from "./key_value_store.ts";
export { redisBroker, type RedisBrokerClients } from "./redis_broker.ts";
export type {
  RedisClient,
  RedisConnection,
  RedisListener,
  RedisSubscriber,
} from "./redis_client.ts";
export type { RedisOptions } from "./redis_options.ts";
export { redisStore } from "./redis_store.ts";
export { StoreFullError } from "./store_full_error.ts";
export { StoreUnavailableError } from "./store_unavailable_error.ts";
