/**
 * What `redisBroker()` asks of its subscriber, with one that follows a script. The contract of a broker
 * is tried in `tests/redis/`.
 *
 * @module
 */
import { redisBroker, type RedisListener, StoreUnavailableError } from "@limen/mcp/stores/redis";
import { assertEquals, assertRejects } from "@std/assert";

/** A broker whose subscriber writes down what it is asked, and answers with `reply`. */
function scripted(reply: (asked: string) => unknown = () => undefined) {
  const asked: string[] = [];
  let listener: RedisListener | undefined;
  const answer = async (what: string) => {
    asked.push(what);
    return await reply(what);
  };
  const broker = redisBroker({
    publisher: { command: (args) => Promise.resolve(args.length) },
    subscriber: {
      listen: (given) => void (listener = given),
      subscribe: (channel) => answer(`+${channel}`),
      unsubscribe: (channel) => answer(`-${channel}`),
    },
  }, { prefix: "p", commandTimeoutMs: 20 });
  return { broker, asked, listener: () => listener! };
}

Deno.test("redisBroker() subscribes to a channel once, and until the last reader leaves", async () => {
  const { broker, asked, listener } = scripted();
  const [first, second] = await Promise.all([
    broker.subscribe(["a"]),
    broker.subscribe(["a", "b"]),
  ]);
  assertEquals(asked, ["+p:a", "+p:b"]);
  listener().message("p:a", "1");
  for (const subscription of [first!, second!]) {
    for await (const message of subscription) {
      assertEquals(message, { topic: "a", payload: "1" });
      break;
    }
  }
  assertEquals(asked, ["+p:a", "+p:b", "-p:a", "-p:b"]);
});

Deno.test("redisBroker() rejects and cleans up where one of the topics fails", async () => {
  const { broker, asked } = scripted((what) => {
    if (what === "+p:b") throw new Error("NOPERM no such channel");
  });
  const error = await assertRejects(() => broker.subscribe(["a", "b"]), StoreUnavailableError);
  assertEquals(error.message, "Cannot subscribe on Redis: Redis failed with NOPERM");
  assertEquals(broker.activeSubscriptions, 0);
  assertEquals(asked, ["+p:a", "+p:b", "-p:a", "-p:b"]);
});

Deno.test("redisBroker() rejects where the connection is lost before it is live", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { broker, listener } = scripted(() => promise);
  const subscribing = broker.subscribe(["a"]);
  listener().lost();
  resolve();
  await assertRejects(() => subscribing, StoreUnavailableError, "the connection was lost");
  assertEquals(broker.activeSubscriptions, 0);
});

Deno.test("redisBroker() rejects where Redis does not confirm, and close() does not wait", async () => {
  const { broker } = scripted((what) => what === "+p:a" ? undefined : new Promise(() => {}));
  await assertRejects(() => broker.subscribe(["b"]), StoreUnavailableError, "within 20 ms");
  const subscription = await broker.subscribe(["a"]);
  await subscription.close();
  assertEquals(subscription.end, "closed");
});

Deno.test("redisBroker() gives up a channel that nobody reads, once for many messages", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked, listener } = scripted(() => promise);
  for (let i = 0; i < 3; i++) listener().message("p:stray", "1");
  assertEquals(asked, ["-p:stray"]);
  resolve();
  await new Promise((resolve) => setTimeout(resolve));
  listener().message("p:stray", "1");
  assertEquals(asked, ["-p:stray", "-p:stray"]);
  await new Promise((resolve) => setTimeout(resolve));
});
