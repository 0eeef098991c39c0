import {
  type KeyValueStore,
  redisBroker,
  redisStore,
  StoreFullError,
  StoreUnavailableError,
} from "@limen/mcp/stores/redis";
import { assertEquals, assertRejects } from "@std/assert";
import { redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";

/** Registers what several servers, and a Redis in trouble, mean for the stores on it. */
export function sharedSuite(server: () => RedisServer): void {
  for (const { name, open } of redisLanes) {
    const withStores = async (run: (...stores: KeyValueStore[]) => Promise<void>) => {
      const { connection, close } = await open(server().path);
      const stores = ["a", "a.b"].map((prefix) => redisStore(connection, { prefix }));
      try {
        await run(...stores);
      } finally {
        await close();
        await server().send("FLUSHALL");
      }
    };

    Deno.test(`redisStore() through ${name}: prefixes never meet`, async () => {
      await withStores(async (first, second) => {
        await first!.set("b:x", "first");
        await first!.set(".b:x", "first");
        assertEquals(await second!.get("x"), undefined);
        assertEquals(await second!.set("x", "second", { ifAbsent: true }), true);
        assertEquals(await first!.get(".b:x"), "first");
        assertEquals(await server().send("EXISTS a:b:x a:.b:x a.b:x"), ":3\r\n");
      });
    });

    Deno.test(`redisStore() through ${name}: ttlMs is what Redis is told`, async () => {
      await withStores(async (store) => {
        await store!.set("x", "1", { ttlMs: Number.MAX_VALUE });
        await store!.increment("y", 1, { ttlMs: 1e21 });
        assertEquals(await store!.get("x"), "1");
        await store!.set("z", "1", { ttlMs: 60_000 });
        const ttlMs = Number((await server().send("PTTL a:z")).slice(1));
        assertEquals(ttlMs > 55_000 && ttlMs <= 60_000, true);
        assertEquals(await store!.increment("z", 1), 2);
        assertEquals(Number((await server().send("PTTL a:z")).slice(1)) > 55_000, true);
      });
    });

    Deno.test(`redisStore() through ${name}: a full Redis rejects with StoreFullError`, async () => {
      await withStores(async (store) => {
        await store!.set("x", "1");
        await server().send("CONFIG SET maxmemory 1");
        try {
          await assertRejects(() => store!.set("y", "1"), StoreFullError, "no memory left");
          await assertRejects(() => store!.compareAndSet("x", "1", "2"), StoreFullError);
          await assertRejects(() => store!.increment("x", 1), StoreFullError);
          assertEquals(await store!.get("x"), "1");
        } finally {
          await server().send("CONFIG SET maxmemory 0");
        }
        assertEquals(await store!.increment("x", 1), 2);
      });
    });

    Deno.test(`redisStore() through ${name}: an error reply is told by its code`, async () => {
      await withStores(async (store) => {
        await server().send("LPUSH a:x 1");
        const error = await assertRejects(() => store!.get("x"), StoreUnavailableError);
        assertEquals(error.message, "Cannot read from Redis: Redis failed with WRONGTYPE");
        assertEquals(error.cause instanceof Error, true);
      });
    });

    Deno.test(`redisBroker() through ${name}: prefixes never meet`, async () => {
      const [publisher, subscriber] = [await open(server().path), await open(server().path)];
      const clients = { publisher: publisher.connection, subscriber: subscriber.connection };
      const broker = redisBroker(clients, { prefix: "a" });
      const other = redisBroker({ ...clients, subscriber: idle }, { prefix: "a.b" });
      const subscription = await broker.subscribe(["x", "b:x", ".b:x"]);
      assertEquals(await other.publish("x", "1"), 0);
      assertEquals(await broker.publish("b:x", "1"), 1);
      await subscription.close();
      await publisher.close();
      await subscriber.close();
    });

    Deno.test(`redisBroker() through ${name}: close() and subscribe() at the same time`, async () => {
      const [publisher, subscriber] = [await open(server().path), await open(server().path)];
      const broker = redisBroker({
        publisher: publisher.connection,
        subscriber: subscriber.connection,
      }, { prefix: "a" });
      for (let i = 0; i < 50; i++) {
        const old = await broker.subscribe(["x"]);
        const closing = old.close();
        const next = await broker.subscribe(["x"]);
        await closing;
        assertEquals(await broker.publish("x", "1"), 1);
        await next.close();
        assertEquals(await broker.publish("x", "1"), 0);
      }
      await publisher.close();
      await subscriber.close();
    });
  }
}

const idle = {
  listen: () => {},
  subscribe: () => Promise.resolve(),
  unsubscribe: () => Promise.resolve(),
};
