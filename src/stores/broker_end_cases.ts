import type { Subscription, SubscriptionEnd } from "./broker.ts";
import type { BrokerCase, BrokerTrial } from "./broker_trial.ts";
import { expectEqual } from "./expect_equal.ts";

/** How subscriptions end, and what is left of them. */
export const brokerEndCases: readonly BrokerCase[] = [
  ["activeSubscriptions counts what is live", async ({ broker, topic }) => {
    const before = broker.activeSubscriptions;
    const first = await broker.subscribe([topic("a"), topic("b")]);
    const second = await broker.subscribe([topic("a")]);
    expectEqual(broker.activeSubscriptions - before, 2, "after two subscriptions");
    await first.close();
    await first.close();
    expectEqual(broker.activeSubscriptions - before, 1, "after one was closed, twice");
    await second.close();
    expectEqual(broker.activeSubscriptions - before, 0, "after both were closed");
  }],
  ["close() may be called again, and at the same time", async ({ broker, topic }) => {
    const subscription = await broker.subscribe([topic("a")]);
    expectEqual(subscription.end, undefined, "end of a live subscription");
    await Promise.all([subscription.close(), subscription.close()]);
    await subscription.close();
    expectEqual(subscription.end, "closed", "end");
    expectEqual(await broker.publish(topic("a"), "x"), 0, "publish() after close()");
  }],
  ["close() ends the loop of a reader that waits", async (trial) => {
    const subscription = await trial.broker.subscribe([trial.topic("a")]);
    const reading = trial.take(subscription, 1);
    await subscription.close();
    expectEqual(await reading, [], "what the reader was yielded");
  }],
  ["close() drops what waits, and nothing comes later", async (trial) => {
    const { broker, topic, take } = trial;
    const subscription = await broker.subscribe([topic("a")]);
    const witness = await broker.subscribe([topic("a")]);
    await broker.publish(topic("a"), "1");
    await take(witness, 1);
    await subscription.close();
    await broker.publish(topic("a"), "2");
    expectEqual(await take(witness, 1), ["2"], "what another subscription was yielded");
    await expectEnd(trial, subscription, "closed");
  }],
  ["close() within the loop ends it", async ({ broker, topic }) => {
    const subscription = await broker.subscribe([topic("a")]);
    for (const payload of ["1", "2", "3"]) await broker.publish(topic("a"), payload);
    const seen: string[] = [];
    for await (const { payload } of subscription) {
      seen.push(payload);
      if (payload === "2") await subscription.close();
    }
    expectEqual(seen, ["1", "2"], "what was yielded");
  }],
  ["leaving the loop closes the subscription", async ({ broker, topic }) => {
    const before = broker.activeSubscriptions;
    const subscription = await broker.subscribe([topic("a")]);
    await broker.publish(topic("a"), "x");
    for await (const _message of subscription) break;
    expectEqual(subscription.end, "closed", "end");
    expectEqual(broker.activeSubscriptions - before, 0, "activeSubscriptions");
    expectEqual(await broker.publish(topic("a"), "x"), 0, "publish() after the loop");
  }],
  ["a reader that is too slow is ended, and no other", async (trial) => {
    const { broker, topic, take } = trial;
    const before = broker.activeSubscriptions;
    const slow = await broker.subscribe([topic("a")], { maxWaiting: 3 });
    const witness = await broker.subscribe([topic("a")]);
    const payloads = ["1", "2", "3", "4", "5"];
    for (const payload of payloads.slice(0, 3)) await broker.publish(topic("a"), payload);
    expectEqual(await take(witness, 3), ["1", "2", "3"], "what another one was yielded");
    expectEqual(slow.end, undefined, "end where as many wait as may");
    for (const payload of payloads.slice(3)) await broker.publish(topic("a"), payload);
    expectEqual(await take(witness, 2), ["4", "5"], "what another one was yielded then");
    await expectEnd(trial, slow, "overflow");
    expectEqual(broker.activeSubscriptions - before, 1, "activeSubscriptions");
  }],
  ["a reader may keep up with any number of messages", async ({ broker, topic, take }) => {
    const subscription = await broker.subscribe([topic("a")], {
      maxWaiting: 1,
      maxWaitingBytes: 1,
    });
    for (let i = 0; i < 50; i++) {
      await broker.publish(topic("a"), String(i));
      expectEqual(await take(subscription, 1), [String(i)], "what came");
    }
  }],
  ["what waits is bounded in bytes", async (trial) => {
    const { broker, topic, take } = trial;
    const slow = await broker.subscribe([topic("a")], { maxWaitingBytes: 5000 });
    const witness = await broker.subscribe([topic("a")]);
    await broker.publish(topic("a"), "x".repeat(10_000));
    await take(witness, 1);
    expectEqual(slow.end, undefined, "end where one large message waits");
    await broker.publish(topic("a"), "x");
    await take(witness, 1);
    await expectEnd(trial, slow, "overflow");
  }],
  ["a bound that is no positive integer rejects", async ({ broker, topic }) => {
    const before = broker.activeSubscriptions;
    for (const bound of [0, -1, 1.5, NaN, Infinity]) {
      for (const options of [{ maxWaiting: bound }, { maxWaitingBytes: bound }]) {
        const seen = await broker.subscribe([topic("a")], options).then(
          () => "a subscription",
          (error) => error instanceof Error ? error.name : typeof error,
        );
        expectEqual(seen, "RangeError", `what subscribe() rejects ${bound} with`);
      }
    }
    expectEqual(broker.activeSubscriptions - before, 0, "activeSubscriptions");
  }],
  ["a lost connection ends every subscription, and new ones work", async (trial) => {
    const { broker, topic, take, disconnect } = trial;
    if (disconnect === undefined) return;
    const waiting = await broker.subscribe([topic("a")]);
    const reading = take(waiting, 1);
    const idle = await broker.subscribe([topic("b")]);
    await disconnect();
    expectEqual(await reading, [], "what a reader that waited was yielded");
    await expectEnd(trial, waiting, "reset");
    await expectEnd(trial, idle, "reset");
    const next = await broker.subscribe([topic("a")]);
    await broker.publish(topic("a"), "x");
    expectEqual(await take(next, 1), ["x"], "what a new subscription was yielded");
  }],
];

async function expectEnd(
  { take }: BrokerTrial,
  subscription: Subscription,
  end: SubscriptionEnd,
): Promise<void> {
  expectEqual(await take(subscription, 1), [], "what the ended subscription yielded");
  expectEqual(subscription.end, end, "end");
}
