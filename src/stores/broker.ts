/** What a subscription yields. */
export interface BrokerMessage {
  /** The topic it was published to. */
  readonly topic: string;
  /** What was published. */
  readonly payload: string;
}

/** Options of {@linkcode Broker.subscribe}. */
export interface SubscribeOptions {
  /**
   * How many messages may wait for the reader. Default 1000. One more ends the subscription, so that
   * a reader who stops reading cannot fill the memory of the process.
   */
  readonly maxWaiting?: number;
  /**
   * What the waiting messages may count for together, at two bytes for each UTF-16 unit. Default
   * 1 MiB. A message that waits alone may be larger.
   */
  readonly maxWaitingBytes?: number;
  /**
   * Drop a message while one with the same topic and payload waits. Default `false`. Meant for
   * messages that say that something changed and not what it became: of A, B, A the reader may get
   * A, B.
   */
  readonly collapse?: boolean;
}

/**
 * Why a subscription ended: `closed` by its owner, `overflow` because its reader was too slow, `reset`
 * because messages may have been lost between the broker and this process.
 */
export type SubscriptionEnd = "closed" | "overflow" | "reset";

/**
 * The messages of some topics, for one reader, as an async iterable. The loop ends when the
 * subscription does; what waited by then is dropped, since a reader who lost one message has to look
 * again anyway. Leaving the loop closes the subscription.
 */
export interface Subscription extends AsyncIterable<BrokerMessage> {
  /** Why it ended; `undefined` while it is live. */
  readonly end: SubscriptionEnd | undefined;
  /**
   * Ends it, and resolves once the broker counts it no longer. Nothing is yielded after the call.
   * Harmless when it has ended.
   */
  close(): Promise<void>;
}

/**
 * Carries messages from whoever changes something to whoever listens, in any process.
 *
 * Topics are opaque and matched exactly, character by character: no pattern, no hierarchy. A topic
 * authorises nobody: who may listen is decided before. Topics and payloads are well-formed strings.
 * Messages of one publisher to one topic arrive in the order in which their `publish` calls were
 * made. A message is delivered to a live subscription at most once, and to nobody later: there is no
 * history. A broker that lost its connection ends every subscription with `reset`, so that listeners
 * look at the state again instead of missing a change.
 *
 * A broker passes the suite of `@limen/mcp/stores/contract`, which states all this as cases.
 *
 * @example
 * ```ts
 * import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const broker: Broker = memoryBroker();
 * const subscription = await broker.subscribe(["task:1"]);
 * await broker.publish("task:1", "done");
 * for await (const { payload } of subscription) {
 *   assertEquals(payload, "done");
 *   break;
 * }
 * assertEquals(broker.activeSubscriptions, 0);
 * ```
 */
export interface Broker {
  /** How many subscriptions of this process are live. */
  readonly activeSubscriptions: number;

  /**
   * Sends a message to every live subscription of a topic, without waiting for any reader.
   *
   * @returns 0 when nobody was reached, else a count that is at least 1: of subscriptions where the
   * broker knows them, of processes otherwise.
   */
  publish(topic: string, payload: string): Promise<number>;

  /**
   * Subscribes to some topics. A topic named twice counts once.
   *
   * Rejects with a `RangeError` where a bound is no positive integer.
   *
   * @returns The subscription, once it is live: what is published from then on reaches it.
   */
  subscribe(topics: readonly string[], options?: SubscribeOptions): Promise<Subscription>;
}
