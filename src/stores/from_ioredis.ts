import { ConfigurationError } from "../ports/configuration_error.ts";
import type { RedisConnection, RedisListener } from "./redis_client.ts";

/** What {@linkcode fromIoredis} uses of a client of the package `ioredis`, version 5 or later. */
export interface IoredisClient {
  /** Where the connection stands; `ready` when commands can be sent. */
  readonly status: string;
  /** The socket; for a moment it is over, and the client still calls itself `ready`. */
  readonly stream?: { readonly writable: boolean } | undefined;
  /** The options it was made with. */
  readonly options: { readonly keyPrefix?: string | undefined };
  /** Sends a command. */
  call(command: string, args: string[]): Promise<unknown>;
  /** Subscribes to a channel. */
  subscribe(channel: string): Promise<unknown>;
  /** Ends a subscription. */
  unsubscribe(channel: string): Promise<unknown>;
  /** Listens to an event. */
  on(event: string, listener: (...args: string[]) => void): unknown;
}

/**
 * Adapts a client of the package `ioredis`. The caller closes it.
 *
 * Make the client with `autoResendUnfulfilledCommands: false`: by default it sends a command again
 * whose answer was lost with the connection, so that an increment may count twice, and a caller who
 * won a race may be told that he lost. A command that cannot be sent yet waits here and not in the
 * client's queue, so that none is sent after its caller was told that it failed.
 *
 * @throws {ConfigurationError} when the client has a `keyPrefix`, which it would add to keys and
 * channels and not take off again.
 *
 * @example
 * ```ts
 * import { fromIoredis, redisStore } from "@limen/mcp/stores/redis";
 * import { assertEquals } from "@std/assert";
 *
 * // const client = new Redis({ autoResendUnfulfilledCommands: false });
 * const client = {
 *   status: "ready",
 *   options: {},
 *   call: () => Promise.resolve("open"),
 *   subscribe: () => Promise.resolve(1),
 *   unsubscribe: () => Promise.resolve(0),
 *   on: () => {},
 * };
 * const store = redisStore(fromIoredis(client), { prefix: "invoices" });
 * assertEquals(await store.get("session:1"), "open");
 * ```
 */
export function fromIoredis(client: IoredisClient): RedisConnection {
  if (client.options.keyPrefix) {
    throw new ConfigurationError(
      "Cannot use the ioredis client: it has a keyPrefix: leave it out, and name a prefix here",
    );
  }
  let listener: RedisListener | undefined;
  let waiting: (() => void)[] = [];
  client.on("message", (channel = "", payload = "") => listener?.message(channel, payload));
  client.on("close", () => listener?.lost());
  client.on("error", () => {});
  for (const event of ["ready", "end"]) {
    client.on(event, () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    });
  }
  const whenReady = async <T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> => {
    if (!isConnecting(client)) return await send();
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener("abort", () => {
        waiting = waiting.filter((wake) => wake !== resolve);
        resolve();
      });
    });
    signal.throwIfAborted();
    return await send();
  };
  return {
    command: ([name = "", ...args], signal) => whenReady(signal, () => client.call(name, args)),
    listen: (given) => void (listener = given),
    subscribe: (channel, signal) => whenReady(signal, () => client.subscribe(channel)),
    unsubscribe: (channel, signal) => whenReady(signal, () => client.unsubscribe(channel)),
  };
}

/**
 * Whether the client would put a command into its own queue, and send it once there is a connection. In
 * `wait` the first command connects, and after `end` each one is refused at once.
 */
function isConnecting({ status, stream }: IoredisClient): boolean {
  return CONNECTING.includes(status) || (status === "ready" && stream?.writable === false);
}

const CONNECTING: readonly string[] = ["connecting", "connect", "reconnecting", "close"];
