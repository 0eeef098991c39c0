import type { HostContext } from "../ports/host_context.ts";
import type { KeyValueStore } from "./key_value_store.ts";

/** A store that is told of each request before anything else asks it. */
export interface LateStore extends KeyValueStore {
  /** Makes the store, unless it was made before. */
  readonly "~open": (host: HostContext) => void;
}

/**
 * Makes a store from what the platform passes with the first request, as on Workers, where a binding is
 * not there before. It stays the same from then on. Before the first request there is no store, so
 * that its methods reject. A store that wraps another belongs into `create`: around this one, nothing
 * would make it.
 *
 * @param create Makes it from what the server's option `host` gives, or a call in process or `runTask`
 * that comes first: those name a `host` of their own, which is empty by default. Where it throws, that
 * request is answered with 500, and the next one asks again.
 *
 * @example
 * ```ts
 * import { lateStore, McpServer } from "@limen/mcp";
 * import { type RedisClient, redisStore } from "@limen/mcp/stores/redis";
 *
 * const server = new McpServer({
 *   name: "billing",
 *   version: "1.0.0",
 *   host: (_request, env) => ({ env }),
 *   stores: lateStore(({ env }) => {
 *     const { REDIS } = env as { readonly REDIS: RedisClient };
 *     return redisStore(REDIS, { prefix: "billing" });
 *   }),
 * });
 * ```
 */
export function lateStore(create: (host: HostContext) => KeyValueStore): KeyValueStore {
  let made: KeyValueStore | undefined;
  const store = (): KeyValueStore => {
    if (made !== undefined) return made;
    throw new Error("Cannot reach the store: no request has come yet that says where it is");
  };
  const late: LateStore = {
    "~open": (host) => void (made ??= create(host)),
    get: async (key) => await store().get(key),
    set: async (...args) => await store().set(...args),
    delete: async (key) => await store().delete(key),
    compareAndSet: async (...args) => await store().compareAndSet(...args),
    increment: async (...args) => await store().increment(...args),
  };
  return late;
}
