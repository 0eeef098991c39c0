import type { BrokerCase } from "./broker_trial.ts";
import { expectEqual } from "./expect_equal.ts";

/** Who is sent what, while subscriptions live. */
export const brokerDeliveryCases: readonly BrokerCase[] = [
  ["publish() answers 0 where nobody listens", async ({ broker, topic }) => {
    expectEqual(await broker.publish(topic("a"), "x"), 0, "publish()");
  }],
  ["subscribe() resolves once the subscription is live", async ({ broker, topic, take }) => {
    for (let i = 0; i < 20; i++) {
      const subscription = await broker.subscribe([topic(`a${i}`)]);
      const count = await broker.publish(topic(`a${i}`), "x");
      expectEqual(count >= 1, true, "publish() reaches at least 1");
      expectEqual(await take(subscription, 1), ["x"], "what came");
    }
  }],
  ["nothing published before is yielded", async ({ broker, topic, take }) => {
    await broker.publish(topic("a"), "before");
    const subscription = await broker.subscribe([topic("a")]);
    await broker.publish(topic("a"), "after");
    expectEqual(await take(subscription, 1), ["after"], "what came");
  }],
  ["a message names its topic", async ({ broker, topic }) => {
    const subscription = await broker.subscribe([topic("a"), topic("b")]);
    await broker.publish(topic("b"), "x");
    for await (const message of subscription) {
      expectEqual([message.topic, message.payload], [topic("b"), "x"], "the message");
      break;
    }
  }],
  ["messages to a topic come in the order of their publish() calls", async (trial) => {
    const { broker, topic, take } = trial;
    const subscription = await broker.subscribe([topic("a")]);
    const payloads = Array.from({ length: 100 }, (_, i) => String(i));
    await Promise.all(payloads.map((payload) => broker.publish(topic("a"), payload)));
    expectEqual(await take(subscription, 100), payloads, "what came");
  }],
  ["a reader that waits is woken", async ({ broker, topic, take }) => {
    const subscription = await broker.subscribe([topic("a")]);
    const reading = take(subscription, 3);
    for (const payload of ["1", "2", "3"]) await broker.publish(topic("a"), payload);
    expectEqual(await reading, ["1", "2", "3"], "what came");
  }],
  ["every subscription of a topic is sent every message", async ({ broker, topic, take }) => {
    const first = await broker.subscribe([topic("a")]);
    const second = await broker.subscribe([topic("a"), topic("b")]);
    for (const payload of ["1", "2"]) await broker.publish(topic("a"), payload);
    expectEqual(await take(first, 2), ["1", "2"], "what the first was sent");
    expectEqual(await take(second, 2), ["1", "2"], "what the second was sent");
  }],
  ["a topic named twice counts once", async ({ broker, topic, take }) => {
    const subscription = await broker.subscribe([topic("a"), topic("a")]);
    for (const payload of ["1", "2"]) await broker.publish(topic("a"), payload);
    expectEqual(await take(subscription, 2), ["1", "2"], "what came");
    await subscription.close();
    expectEqual(await broker.publish(topic("a"), "3"), 0, "publish() after close()");
  }],
  ["topics are matched character by character", async ({ broker, topic, take }) => {
    const names = ["", "a", "A", "a ", "a:", "a*", "a?", "[a]", "*", ">", "a/b", "é", "e\u0301"];
    const others = [...names, "__proto__", "constructor", "日本語", "\0", "\r\n", "k".repeat(1000)];
    const subscriptions = [];
    for (const name of others) subscriptions.push(await broker.subscribe([topic(name)]));
    for (const name of others) await broker.publish(topic(name), JSON.stringify(name));
    for (const name of others) await broker.publish(topic(name), "last");
    for (const [i, name] of others.entries()) {
      const payloads = await take(subscriptions[i]!, 2);
      expectEqual(
        payloads,
        [JSON.stringify(name), "last"],
        `what ${JSON.stringify(name)} was sent`,
      );
    }
  }],
  ["payloads come as they were given", async ({ broker, topic, take }) => {
    const subscription = await broker.subscribe([topic("a")]);
    const payloads = ["", "é", "e\u0301", "👩‍🚀", "\0\r\n", "\u2028\uFEFF", "null"];
    for (const payload of payloads) await broker.publish(topic("a"), payload);
    expectEqual(await take(subscription, payloads.length), payloads, "what came");
    const large = "é0".repeat(512 * 1024);
    await broker.publish(topic("a"), large);
    expectEqual((await take(subscription, 1))[0] === large, true, "a large payload came whole");
  }],
  ["equal messages are all yielded", async ({ broker, topic, take }) => {
    const subscription = await broker.subscribe([topic("a")]);
    for (const payload of ["x", "x", "y", "x"]) await broker.publish(topic("a"), payload);
    expectEqual(await take(subscription, 4), ["x", "x", "y", "x"], "what came");
  }],
  ["with collapse, equal messages that wait are yielded once", async (trial) => {
    const { broker, topic, take } = trial;
    const topics = [topic("a"), topic("b")];
    const subscription = await broker.subscribe(topics, { collapse: true, maxWaiting: 3 });
    const witness = await broker.subscribe(topics);
    for (const payload of ["x", "x", "y", "x", "y"]) await broker.publish(topic("a"), payload);
    await broker.publish(topic("b"), "x");
    await take(witness, 6);
    expectEqual(await take(subscription, 3), ["x", "y", "x"], "what came");
    for (const payload of ["x", "last"]) await broker.publish(topic("a"), payload);
    expectEqual(await take(subscription, 2), ["x", "last"], "what came after they were read");
  }],
];
