import { askRedis } from "./ask_redis.ts";
import type { Broker, SubscribeOptions, Subscription } from "./broker.ts";
import type { RedisClient, RedisSubscriber } from "./redis_client.ts";
import { readRedisOptions, type RedisOptions } from "./redis_options.ts";
import { StoreUnavailableError } from "./store_unavailable_error.ts";
import { SubscriptionQueue } from "./subscription_queue.ts";

/** The connections of {@linkcode redisBroker}. */
export interface RedisBrokerClients {
  /** Sends what is published. May be the client of the store. */
  readonly publisher: RedisClient;
  /** Receives, for all subscriptions of this process: a connection of its own, for this broker only. */
  readonly subscriber: RedisSubscriber;
}

/**
 * Makes a broker on Redis pub/sub, which reaches every process of a server. `publish` answers how many
 * processes were reached, as Redis counts them; in a cluster, those at one node.
 *
 * One connection carries all subscriptions of the process, and a channel is subscribed to once,
 * however many listen. When that connection is lost, every subscription ends with `reset`, since what
 * was published meanwhile is lost; new ones work once the client has connected again. While Redis is
 * gone, `publish` and `subscribe` reject with a {@linkcode StoreUnavailableError}.
 *
 * @throws {ConfigurationError} when an option cannot be used.
 *
 * @example
 * ```ts
 * import { redisBroker } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * const broker = redisBroker({
 *   publisher: { command: (args) => Promise.resolve(args.includes("invoices:task:1") ? 2 : 0) },
 *   subscriber: { listen() {}, subscribe: async () => {}, unsubscribe: async () => {} },
 * }, { prefix: "invoices" });
 * assertEquals(await broker.publish("task:1", "done"), 2);
 * ```
 */
export function redisBroker(clients: RedisBrokerClients, options: RedisOptions): Broker {
  return new RedisBroker(clients, options);
}

/** A channel of Redis that some subscriptions of this process share. */
interface Channel {
  readonly topic: string;
  readonly queues: Set<SubscriptionQueue>;
  /** Resolves once Redis has confirmed it. */
  readonly live: Promise<unknown>;
}

class RedisBroker implements Broker {
  readonly #publisher: RedisClient;
  readonly #subscriber: RedisSubscriber;
  readonly #start: string;
  readonly #timeoutMs: number;
  readonly #queues = new Set<SubscriptionQueue>();
  readonly #channels = new Map<string, Channel>();
  /** The channels that Redis was told to end, and has not confirmed. */
  readonly #leaving = new Set<string>();

  constructor(clients: RedisBrokerClients, options: RedisOptions) {
    const { start, timeoutMs } = readRedisOptions(options);
    this.#publisher = clients.publisher;
    this.#subscriber = clients.subscriber;
    this.#start = start;
    this.#timeoutMs = timeoutMs;
    this.#subscriber.listen({
      message: (name, payload) => this.#receive(name, payload),
      lost: () => this.#reset(),
    });
  }

  get activeSubscriptions(): number {
    return this.#queues.size;
  }

  async publish(topic: string, payload: string): Promise<number> {
    const args = ["PUBLISH", this.#start + topic, payload];
    return Number(
      await askRedis((signal) => this.#publisher.command(args, signal), {
        action: "Cannot publish on Redis",
        timeoutMs: this.#timeoutMs,
      }),
    );
  }

  async subscribe(
    topics: readonly string[],
    options: SubscribeOptions = {},
  ): Promise<Subscription> {
    const distinct = [...new Set(topics)];
    const queue: SubscriptionQueue = new SubscriptionQueue({
      ...options,
      release: async () => {
        this.#queues.delete(queue);
        await Promise.all(distinct.map((topic) => this.#leave(topic, queue)));
      },
    });
    this.#queues.add(queue);
    try {
      await Promise.all(distinct.map((topic) => this.#join(topic, queue)));
    } catch (error) {
      queue.finish("closed");
      throw error;
    }
    if (queue.end !== "reset") return queue;
    throw new StoreUnavailableError("Cannot subscribe on Redis: the connection was lost");
  }

  #join(topic: string, queue: SubscriptionQueue): Promise<unknown> {
    const name = this.#start + topic;
    const found = this.#channels.get(name);
    const channel = found ?? { topic, queues: new Set(), live: this.#tell(name, "subscribe") };
    this.#channels.set(name, channel);
    channel.queues.add(queue);
    return channel.live;
  }

  async #leave(topic: string, queue: SubscriptionQueue): Promise<void> {
    const name = this.#start + topic;
    const channel = this.#channels.get(name);
    if (channel === undefined || !channel.queues.delete(queue) || channel.queues.size > 0) return;
    this.#channels.delete(name);
    await this.#unsubscribe(name);
  }

  /** Where it fails, a client that subscribes again by itself is told when a message comes. */
  async #unsubscribe(name: string): Promise<void> {
    this.#leaving.add(name);
    await this.#tell(name, "unsubscribe").catch(() => {});
    this.#leaving.delete(name);
  }

  #tell(name: string, method: "subscribe" | "unsubscribe"): Promise<unknown> {
    return askRedis((signal) => this.#subscriber[method](name, signal), {
      action: `Cannot ${method} on Redis`,
      timeoutMs: this.#timeoutMs,
    });
  }

  #receive(name: string, payload: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) {
      if (!this.#leaving.has(name)) this.#unsubscribe(name);
      return;
    }
    const message = { topic: channel.topic, payload };
    for (const queue of channel.queues) queue.push(message);
  }

  #reset(): void {
    for (const queue of this.#queues) queue.finish("reset");
  }
}
