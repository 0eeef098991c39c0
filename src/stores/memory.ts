/**
 * State in the memory of one process: a store for everything a server remembers, a broker for what
 * it tells its listeners, and the two interfaces they implement.
 *
 * What goes in and comes out is text. Nothing here reaches another process, outlives this one, sets a
 * timer or opens a connection, and what is held is bounded. A store or broker of another kind
 * implements {@linkcode KeyValueStore} or {@linkcode Broker}, and passes the suite of
 * `@limen/mcp/stores/contract`.
 *
 * @example
 * ```ts
 * import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const store = memoryStore({ maxEntries: 10_000 });
 * assertEquals(await store.set("mark:1", "used", { ttlMs: 600_000, ifAbsent: true }), true);
 * assertEquals(await store.set("mark:1", "used", { ttlMs: 600_000, ifAbsent: true }), false);
 *
 * const broker = memoryBroker();
 * assertEquals(await broker.publish("resource:invoice://1", "{}"), 0);
 * ```
 *
 * @module
 */
export type { Clock } from "../ports/clock.ts";
export { ConfigurationError } from "../ports/configuration_error.ts";
export type {
  Broker,
  BrokerMessage,
  SubscribeOptions,
  Subscription,
  SubscriptionEnd,
} from "./broker.ts";
export { EVICTABLE_PREFIXES } from "./evictable_prefixes.ts";
export type {
  CompareAndSetOptions,
  IncrementOptions,
  KeyValueStore,
  SetOptions,
} from "./key_value_store.ts";
export { memoryBroker } from "./memory_broker.ts";
export { type MemoryStore, memoryStore, type MemoryStoreOptions } from "./memory_store.ts";
export { StoreFullError } from "./store_full_error.ts";
