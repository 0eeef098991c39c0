import { redisBroker, redisStore, StoreUnavailableError } from "@limen/mcp/stores/redis";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type OpenConnection, type RedisLane, redisLanes } from "./redis_lanes.ts";
import { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

const TIMEOUT_MS = 300;

/** Registers what happens while Redis is gone, and when it is back. */
export function outageSuite(): void {
  for (const lane of redisLanes) {
    for (const [appendfsync, lostMs] of [["always", 0], ["everysec", 2000]] as const) {
      const claim = `a crash loses nothing acknowledged ${lostMs} ms before, with ${appendfsync}`;
      Deno.test(`redisStore() through ${lane.name}: ${claim}`, async () => {
        await withServer(lane, async ({ server, first }) => {
          const store = redisStore(first.connection, options);
          const acknowledged = new Map<string, number>();
          let refused = 0;
          let isOver = false;
          const writers = Array.from({ length: 20 }, async (_, writer) => {
            for (let i = 0; !isOver; i++) {
              const key = `session:${writer}:${i}`;
              await store.set(key, key).then(() => acknowledged.set(key, Date.now()), (error) => {
                assert(error instanceof StoreUnavailableError, String(error));
                refused++;
              });
              await new Promise((resolve) => setTimeout(resolve, 2));
            }
          });
          await new Promise((resolve) => setTimeout(resolve, lostMs + 500));
          const killedAt = Date.now();
          await server.kill();
          await until(() => refused > 20);
          await server.restart();
          const restartedAt = Date.now();
          const before = acknowledged.size;
          await until(() => acknowledged.size > before + 100);
          isOver = true;
          await Promise.all(writers);
          let checked = 0;
          for (const [key, at] of acknowledged) {
            if (at > killedAt - lostMs && at < restartedAt && lostMs > 0) continue;
            assertEquals(await store.get(key), key);
            checked++;
          }
          assert(checked > 200, `${checked} writes were checked`);
        }, appendfsync);
      });
    }

    Deno.test(`redisStore() through ${lane.name}: each call fails in time, then works`, async () => {
      await withServer(lane, async ({ server, first }) => {
        const store = redisStore(first.connection, options);
        assertEquals(await store.increment("limit:a", 1, { ttlMs: 60_000 }), 1);
        await store.set("session:a", "1");
        await server.kill();
        const calls = [
          () => store.get("session:a"),
          () => store.set("session:a", "2"),
          () => store.delete("session:a"),
          () => store.compareAndSet("session:a", "1", "2"),
          () => store.increment("limit:a", 1),
        ];
        for (const call of calls) {
          const start = performance.now();
          await assertRejects(call, StoreUnavailableError, "Redis");
          assert(performance.now() - start < TIMEOUT_MS + 500);
        }
        await server.restart();
        await until(() => store.get("session:a").then((value) => value === "1", () => false));
        // Nothing that was refused is sent later.
        assertEquals(await store.increment("limit:a", 1), 2);
      });
    });

    Deno.test(`redisBroker() through ${lane.name}: a crash resets, then all works`, async () => {
      await withServer(lane, async ({ server, first, second }) => {
        const broker = redisBroker({
          publisher: first.connection,
          subscriber: second.connection,
        }, options);
        const subscription = await broker.subscribe(["a", "b"]);
        const reading = Array.fromAsync(subscription);
        assertEquals(await broker.publish("a", "1"), 1);
        await server.kill();
        assertEquals((await reading).map(({ payload }) => payload), ["1"]);
        assertEquals(subscription.end, "reset");
        assertEquals(broker.activeSubscriptions, 0);
        await assertRejects(() => broker.publish("a", "2"), StoreUnavailableError, "publish");
        await assertRejects(() => broker.subscribe(["a"]), StoreUnavailableError, "subscribe");
        await subscription.close();

        await server.restart();
        const next = await untilLive(() => broker.subscribe(["a"]));
        await untilLive(() => broker.publish("a", "3"));
        for await (const { payload } of next) {
          assertEquals(payload, "3");
          break;
        }
        // What the client subscribed to again by itself is given up with the first stray message.
        await until(async () => await broker.publish("a", "4") === 0);
        await until(async () => await broker.publish("b", "4") === 0);
        assertEquals(await server.send("PUBSUB CHANNELS *"), "*0\r\n");
      });
    });

    Deno.test(`redisStore() through ${lane.name}: a Redis that hangs is not waited for`, async () => {
      await withServer(lane, async ({ server, first }) => {
        const store = redisStore(first.connection, options);
        await store.set("session:a", "1");
        await server.send("CLIENT PAUSE 800 ALL");
        await assertRejects(
          () => store.get("session:a"),
          StoreUnavailableError,
          `Cannot read from Redis: Redis did not answer within ${TIMEOUT_MS} ms`,
        );
        await until(() => store.get("session:a").then((value) => value === "1", () => false));
      });
    });
  }
}

const options = { prefix: "outage", commandTimeoutMs: TIMEOUT_MS } as const;

interface Outage {
  readonly server: RedisServer;
  readonly first: OpenConnection;
  readonly second: OpenConnection;
}

async function withServer(
  lane: RedisLane,
  run: (outage: Outage) => Promise<void>,
  appendfsync: "always" | "everysec" = "always",
): Promise<void> {
  await using server = await RedisServer.start(appendfsync);
  const first = await lane.open(server.path);
  const second = await lane.open(server.path);
  try {
    await run({ server, first, second });
  } finally {
    await first.close();
    await second.close();
  }
}

async function untilLive<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await call();
    } catch (error) {
      assert(error instanceof StoreUnavailableError, String(error));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("Redis did not come back");
}
