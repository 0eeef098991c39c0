import { brokerContract } from "@limen/mcp/stores/contract";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";

const contract = brokerContract({
  name: "memoryBroker()",
  open: () => ({ broker: memoryBroker() }),
});
for (const { title, run } of contract) Deno.test(title, run);

Deno.test("memoryBroker() answers the exact number of subscriptions reached (S-10)", async () => {
  const broker = memoryBroker();
  const subscriptions = [
    await broker.subscribe(["a"]),
    await broker.subscribe(["a", "b"]),
    await broker.subscribe([]),
  ];
  assertEquals(broker.activeSubscriptions, 3);
  assertEquals([await broker.publish("a", ""), await broker.publish("b", "")], [2, 1]);
  for (const subscription of subscriptions) await subscription.close();
  assertEquals([await broker.publish("a", ""), broker.activeSubscriptions], [0, 0]);
});

Deno.test("memoryBroker() lets a subscription end while a message goes round", async () => {
  const broker = memoryBroker();
  const full = await broker.subscribe(["a"], { maxWaiting: 1 });
  const other = await broker.subscribe(["a"]);
  await broker.publish("a", "1");
  assertEquals(await broker.publish("a", "2"), 2);
  assertEquals([full.end, other.end], ["overflow", undefined]);
  assertEquals(await broker.publish("a", "3"), 1);
  const seen: string[] = [];
  for await (const { payload } of other) {
    if (seen.push(payload) === 3) break;
  }
  assertEquals(seen, ["1", "2", "3"]);
});

Deno.test("memoryBroker() sends what it was given when subscribed, whatever the list becomes", async () => {
  const broker = memoryBroker();
  const topics = ["a"];
  const subscription = await broker.subscribe(topics);
  topics[0] = "b";
  await subscription.close();
  assertEquals(await broker.publish("a", "x"), 0);
});

Deno.test("two memory brokers share nothing", async () => {
  const [first, second] = [memoryBroker(), memoryBroker()];
  const subscription = await first.subscribe(["a"]);
  assertEquals(await second.publish("a", "x"), 0);
  await subscription.close();
});
