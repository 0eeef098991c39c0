import type { Log } from "../../ports/log_event.ts";
import { serialize } from "../../present/serialize.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
import type { Broker, Subscription } from "../../stores/broker.ts";
import type { Topic } from "../topics.ts";

/** Whoever hears of events. */
export interface EventListener {
  /**
   * Takes an event: a notification as JSON text up to its subscription id, the same text for all who
   * hear of it. What is missing is the id and `}}}`.
   */
  push(head: string): void;
  /** Nothing more comes: the broker may have lost events. */
  end(): void;
}

const NONE: readonly Topic[] = [];

/** A topic that some listeners of this process share. */
interface Channel<Listener> {
  /** The topic alone, for all who listen to nothing else. */
  readonly topics: readonly [Topic];
  readonly listeners: Set<Listener>;
  /** Rejects where the broker cannot subscribe. */
  readonly live: Promise<Subscription>;
}

/**
 * Hands the events of a broker to the listeners of this process: each topic is subscribed to once,
 * and each event is written once, however many listen.
 */
export class EventHub<Listener extends EventListener> {
  readonly #broker: Broker;
  readonly #log: Log;
  readonly #channels: Map<string, Channel<Listener>> = new Map();

  /** Subscribes to nothing yet. */
  constructor(broker: Broker, log: Log) {
    this.#broker = broker;
    this.#log = log;
  }

  /** Whether nobody listens. */
  get isIdle(): boolean {
    return this.#channels.size === 0;
  }

  /** Whoever listens, or is about to: once for each of its topics. */
  *listeners(): Iterable<Listener> {
    for (const { listeners } of this.#channels.values()) yield* listeners;
  }

  /** The same topics, as those hold them who listen to them already: nobody keeps an equal one twice. */
  share(topics: readonly Topic[]): readonly Topic[] {
    const shared = topics.map((topic) => this.#channels.get(topic.name)?.topics ?? [topic]);
    return shared.length > 1 ? shared.flat() : shared[0] ?? NONE;
  }

  /**
   * Begins to listen.
   *
   * @returns Once all topics are live: what is published from then on is heard. Rejects with what the
   * broker throws, and then nothing is left behind.
   */
  async join(topics: readonly Topic[], listener: Listener): Promise<void> {
    const entered = topics.map((topic) => this.#enter(topic, listener));
    try {
      await Promise.all(entered);
    } catch (cause) {
      this.leave(topics, listener);
      throw cause;
    }
  }

  /** Stops listening; harmless for who does not. */
  leave(topics: readonly Topic[], listener: Listener): void {
    for (const { name } of topics) {
      const channel = this.#channels.get(name);
      if (channel === undefined || !channel.listeners.delete(listener)) continue;
      if (channel.listeners.size > 0) continue;
      this.#channels.delete(name);
      // A broker that fails here has lost the subscription already.
      channel.live.then((subscription) => subscription.close()).catch(() => {});
    }
  }

  #enter(topic: Topic, listener: Listener): Promise<unknown> {
    let channel = this.#channels.get(topic.name);
    if (channel === undefined) {
      channel = {
        topics: [topic],
        listeners: new Set(),
        live: this.#broker.subscribe([topic.name], { collapse: true }),
      };
      this.#channels.set(topic.name, channel);
      this.#run(topic, channel);
    }
    channel.listeners.add(listener);
    return channel.live;
  }

  async #run(topic: Topic, channel: Channel<Listener>): Promise<void> {
    try {
      for await (const { payload } of await channel.live) {
        const head = this.#write(topic, payload);
        if (head === undefined) continue;
        for (const listener of channel.listeners) listener.push(head);
      }
    } catch {
      // Whoever joins is told.
    }
    if (this.#channels.get(topic.name) === channel) this.#channels.delete(topic.name);
    for (const listener of channel.listeners) listener.end();
  }

  /** Only text that this process has parsed is spliced into messages (B16). */
  #write({ method }: Topic, payload: string): string | undefined {
    try {
      const parsed: unknown = JSON.parse(payload);
      if (!isJsonObject(parsed)) throw new TypeError("The parameters must be an object");
      const { _meta, ...params } = parsed;
      const members = serialize(params).slice(1, -1);
      const parts = members === "" ? [] : [members];
      const meta = `"_meta":{"${MetaKey.subscriptionId}":`;
      // Joined, it is one piece, which each stream copies at once; a sum would be put together anew.
      return [`{"jsonrpc":"2.0","method":"${method}","params":{`, [...parts, meta].join()].join("");
    } catch (cause) {
      this.#log({
        level: "warning",
        event: "subscription.event",
        message: "A change was published that cannot be told",
        cause,
        fields: { notification: method },
      });
      return undefined;
    }
  }
}
