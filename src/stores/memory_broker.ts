import type { Broker } from "./broker.ts";
import { SubscriptionQueue } from "./subscription_queue.ts";

/**
 * Makes a broker that reaches the subscriptions of this process, and no other: for one process, and
 * for tests. With several processes behind one address, a listener would miss what the others
 * publish. `publish` answers the exact number of subscriptions reached.
 *
 * @example
 * ```ts
 * import { memoryBroker } from "@limen/mcp/stores/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const broker = memoryBroker();
 * assertEquals(await broker.publish("kind:tools/list_changed", "{}"), 0);
 * const subscription = await broker.subscribe(["kind:tools/list_changed"]);
 * assertEquals(await broker.publish("kind:tools/list_changed", "{}"), 1);
 * await subscription.close();
 * ```
 */
export function memoryBroker(): Broker {
  const byTopic = new Map<string, Set<SubscriptionQueue>>();
  let activeSubscriptions = 0;
  return {
    get activeSubscriptions() {
      return activeSubscriptions;
    },
    // deno-lint-ignore require-await -- a promise in every store
    async publish(topic, payload) {
      const queues = byTopic.get(topic);
      if (queues === undefined) return 0;
      const message = { topic, payload };
      const count = queues.size;
      for (const queue of queues) queue.push(message);
      return count;
    },
    // deno-lint-ignore require-await -- a rejection, never a throw
    async subscribe(topics, options = {}) {
      const distinct = new Set(topics);
      const queue: SubscriptionQueue = new SubscriptionQueue({
        ...options,
        release: () => {
          activeSubscriptions--;
          for (const topic of distinct) remove(byTopic, topic, queue);
        },
      });
      activeSubscriptions++;
      for (const topic of distinct) getOrAdd(byTopic, topic).add(queue);
      return queue;
    },
  };
}

type Topics = Map<string, Set<SubscriptionQueue>>;

function getOrAdd(byTopic: Topics, topic: string): Set<SubscriptionQueue> {
  const queues = byTopic.get(topic) ?? new Set();
  byTopic.set(topic, queues);
  return queues;
}

function remove(byTopic: Topics, topic: string, queue: SubscriptionQueue): void {
  const queues = byTopic.get(topic);
  queues?.delete(queue);
  if (queues?.size === 0) byTopic.delete(topic);
}
