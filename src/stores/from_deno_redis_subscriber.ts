import type { DenoRedisClient } from "./from_deno_redis.ts";
import type { RedisListener, RedisSubscriber } from "./redis_client.ts";

/** What {@linkcode fromDenoRedisSubscriber} uses of a subscription of `@db/redis`. */
export interface DenoRedisSubscription {
  /** Adds channels. */
  subscribe(...channels: string[]): Promise<unknown>;
  /** Removes channels. */
  unsubscribe(...channels: string[]): Promise<unknown>;
  /** Reads the messages. */
  receive(): AsyncIterable<{ readonly channel: string; readonly message: string }>;
}

/** The connections of {@linkcode fromDenoRedisSubscriber}. */
export interface DenoRedisSubscriberClients {
  /** The connection that receives, and does nothing else. */
  readonly subscriber: {
    /** Begins a subscription. */
    subscribe(...channels: string[]): Promise<DenoRedisSubscription>;
    /** Listens to an event of the connection. */
    addEventListener(type: "close" | "error", listener: () => void): void;
  };
  /** Another one, which asks whether a subscription is live. */
  readonly client: DenoRedisClient;
}

/** How long to wait before asking again, in milliseconds. */
const POLL_MS = 5;

/**
 * Adapts two clients of `@db/redis` (deno-redis) for the receiving side of a broker. The caller closes
 * them.
 *
 * The library does not tell when Redis has confirmed a subscription. So each change is followed by a
 * channel of a random name, and holds once Redis counts a subscriber of that one.
 *
 * @example
 * ```ts
 * import { fromDenoRedis, fromDenoRedisSubscriber, redisBroker } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * // const client = await connect({ hostname: "127.0.0.1" });
 * // const subscriber = await connect({ hostname: "127.0.0.1" });
 * const client = { sendCommand: () => Promise.resolve(0) };
 * const subscriber = { subscribe: () => Promise.reject(), addEventListener() {} };
 * const broker = redisBroker({
 *   publisher: fromDenoRedis(client),
 *   subscriber: fromDenoRedisSubscriber({ subscriber, client }),
 * }, { prefix: "invoices" });
 * assertEquals(await broker.publish("task:1", "done"), 0);
 * ```
 */
export function fromDenoRedisSubscriber(clients: DenoRedisSubscriberClients): RedisSubscriber {
  const { subscriber, client } = clients;
  let listener: RedisListener | undefined;
  let subscription: Promise<DenoRedisSubscription> | undefined;
  const lose = () => listener?.lost();
  subscriber.addEventListener("close", lose);
  subscriber.addEventListener("error", lose);

  const forget = () => {
    subscription = undefined;
    lose();
  };
  const receive = async (opened: DenoRedisSubscription) => {
    for await (const { channel, message } of opened.receive()) listener?.message(channel, message);
  };
  /** The loop ends where the client has given up; the next call begins anew. */
  const open = async (channel: string) => {
    try {
      const opened = await subscriber.subscribe(channel);
      receive(opened).then(forget, forget);
      return opened;
    } catch (error) {
      subscription = undefined;
      throw error;
    }
  };
  const add = async (channel: string) => {
    if (subscription === undefined) await (subscription = open(channel));
    else await (await subscription).subscribe(channel);
  };
  const remove = async (channel: string) => await (await subscription)?.unsubscribe(channel);
  const confirm = async (signal: AbortSignal) => {
    const mark = `limen-confirm:${crypto.randomUUID()}`;
    await add(mark);
    while (!(Number(await client.sendCommand("PUBLISH", [mark, ""])) > 0)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
    await remove(mark);
  };
  return {
    listen: (given) => void (listener = given),
    subscribe: async (channel, signal) => {
      await add(channel);
      await confirm(signal);
    },
    unsubscribe: async (channel, signal) => {
      if (subscription === undefined) return;
      await remove(channel);
      await confirm(signal);
    },
  };
}
