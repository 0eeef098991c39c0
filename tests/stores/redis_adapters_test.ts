/**
 * What the adapters ask of the clients, with clients that follow a script. The libraries themselves are
 * tried in `tests/redis/`.
 *
 * @module
 */
import {
  ConfigurationError,
  fromDenoRedis,
  fromDenoRedisSubscriber,
  fromIoredis,
  fromNodeRedis,
} from "@limen/mcp/stores/redis";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";

const live = new AbortController().signal;

/** Writes down what a broker would hear. */
function recorder() {
  const heard: string[] = [];
  return {
    heard,
    message: (channel: string, payload: string) => void heard.push(`${channel}=${payload}`),
    lost: () => void heard.push("lost"),
  };
}

Deno.test("fromNodeRedis() sends commands with the signal, and hears of messages and losses", async () => {
  const events = new Map<string, () => void>();
  const signals: unknown[] = [];
  let receive = (_message: string, _channel: string) => {};
  const connection = fromNodeRedis({
    sendCommand: (args, options) => {
      signals.push(options?.abortSignal);
      return Promise.resolve(args.join(" "));
    },
    subscribe: (_channel, listener) => Promise.resolve(receive = listener),
    unsubscribe: (_channel, listener) => Promise.resolve(listener === receive),
    on: (event, listener) => events.set(event, listener),
  });
  events.get("error")?.();
  assertEquals(await connection.command(["GET", "a"], live), "GET a");
  assertEquals(signals, [live]);
  const listener = recorder();
  connection.listen(listener);
  await connection.subscribe("a", live);
  receive("1", "a");
  for (const event of ["error", "end"]) events.get(event)?.();
  assertEquals(listener.heard, ["a=1", "lost", "lost"]);
  assertEquals(await connection.unsubscribe("a", live), true);
});

/** A client in the shape of ioredis, whose events a test fires. */
function ioredis(status: string) {
  const events = new Map<string, (...args: string[]) => void>();
  const client = {
    status,
    options: {},
    call: (command: string, args: string[]) => Promise.resolve([command, ...args].join(" ")),
    subscribe: (channel: string) => Promise.resolve(`+${channel}`),
    unsubscribe: (channel: string) => Promise.resolve(`-${channel}`),
    on: (event: string, listener: (...args: string[]) => void) => events.set(event, listener),
  };
  return { client, fire: (event: string, ...args: string[]) => events.get(event)?.(...args) };
}

Deno.test("fromIoredis() sends commands, and hears of messages and losses", async () => {
  const { client, fire } = ioredis("ready");
  const connection = fromIoredis(client);
  for (const event of ["error", "close", "message"]) fire(event, "a", "0");
  const listener = recorder();
  connection.listen(listener);
  assertEquals(await connection.command(["GET", "a"], live), "GET a");
  assertEquals(await connection.subscribe("a", live), "+a");
  assertEquals(await connection.unsubscribe("a", live), "-a");
  fire("message", "a", "1");
  fire("close");
  assertEquals(listener.heard, ["a=1", "lost"]);
});

Deno.test("fromIoredis() waits until the client is ready, in order, and no longer than it may", async () => {
  const { client, fire } = ioredis("reconnecting");
  const connection = fromIoredis(client);
  const controller = new AbortController();
  const done: unknown[] = [];
  const waiting = ["1", "2", "3"].map((name) =>
    connection.command([name], live).then((reply) => done.push(reply))
  );
  const late = connection.command(["4"], controller.signal);
  controller.abort();
  await assertRejects(() => late, DOMException);
  assertEquals(done, []);
  client.status = "ready";
  fire("ready");
  await Promise.all(waiting);
  assertEquals(done, ["1", "2", "3"]);
});

Deno.test("fromIoredis() waits as well where the socket is over and the client has not noticed", async () => {
  const { client, fire } = ioredis("ready");
  const sent: string[] = [];
  const stream = { writable: false };
  const call = (command: string) => Promise.resolve(sent.push(command));
  const connection = fromIoredis({ ...client, stream, call });
  const controller = new AbortController();
  const late = connection.command(["1"], controller.signal);
  controller.abort();
  await assertRejects(() => late, DOMException);
  const waiting = connection.command(["2"], live);
  assertEquals(sent, []);
  stream.writable = true;
  fire("ready");
  await waiting;
  assertEquals(sent, ["2"]); // and never the one whose caller was told that it failed
});

Deno.test("fromIoredis() refuses a client with a keyPrefix", () => {
  const { client } = ioredis("ready");
  const prefixed = { ...client, options: { keyPrefix: "app:" } };
  assertThrows(() => fromIoredis(prefixed), ConfigurationError, "it has a keyPrefix");
});

Deno.test("fromDenoRedis() sends commands, unless it is too late", async () => {
  const client = fromDenoRedis({
    sendCommand: (command, args = []) => Promise.resolve([command, ...args].join(" ")),
  });
  assertEquals(await client.command(["SET", "a", "1"], live), "SET a 1");
  await assertRejects(() => client.command(["GET", "a"], AbortSignal.abort()), DOMException);
});

/** Two clients in the shape of deno-redis; Redis counts a channel at the second time of asking. */
function denoRedis() {
  const channels = new Set<string>();
  const asked = new Set<string>();
  const events = new Map<string, () => void>();
  const opened: string[] = [];
  let stream = new TransformStream<{ channel: string; message: string }>();
  const add = (...names: string[]) => Promise.resolve(names.forEach((name) => channels.add(name)));
  const clients = {
    client: {
      sendCommand: (_command: string, [name = ""]: string[] = []) => {
        const count = asked.has(name) && channels.has(name) ? 1 : 0;
        asked.add(name);
        return Promise.resolve(count);
      },
    },
    subscriber: {
      subscribe: (...names: string[]) => {
        if (names[0] === "refused") return Promise.reject(new Error("NOPERM"));
        opened.push(...names);
        stream = new TransformStream();
        const { readable } = stream;
        return add(...names).then(() => ({
          subscribe: add,
          unsubscribe: (name: string) => Promise.resolve(channels.delete(name)),
          receive: () => readable,
        }));
      },
      addEventListener: (event: string, listener: () => void) => void events.set(event, listener),
    },
  };
  return { clients, channels, events, opened, stream: () => stream };
}

Deno.test("fromDenoRedisSubscriber() resolves once Redis counts it, and leaves no mark", async () => {
  const { clients, channels, events, opened, stream } = denoRedis();
  const subscriber = fromDenoRedisSubscriber(clients);
  const listener = recorder();
  subscriber.listen(listener);
  await subscriber.unsubscribe("a", live);
  await subscriber.subscribe("a", live);
  await subscriber.subscribe("b", live);
  assertEquals([...channels], ["a", "b"]);
  assertEquals(opened, ["a"]);
  const writer = stream().writable.getWriter();
  await writer.write({ channel: "a", message: "1" });
  events.get("close")?.();
  await subscriber.unsubscribe("a", live);
  assertEquals([...channels], ["b"]);
  // The client gave up: the next call begins anew.
  await writer.close();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(listener.heard, ["a=1", "lost", "lost"]);
  await subscriber.subscribe("c", live);
  assertEquals(opened, ["a", "c"]);
});

Deno.test("fromDenoRedisSubscriber() begins anew where the first subscription was refused", async () => {
  const { clients, opened } = denoRedis();
  const subscriber = fromDenoRedisSubscriber(clients);
  await assertRejects(() => subscriber.subscribe("refused", live), Error, "NOPERM");
  await subscriber.subscribe("a", live);
  assertEquals(opened, ["a"]);
});

Deno.test("fromDenoRedisSubscriber() stops asking once nobody waits", async () => {
  const { clients } = denoRedis();
  const never = { sendCommand: () => Promise.resolve(0) };
  const subscriber = fromDenoRedisSubscriber({ ...clients, client: never });
  await assertRejects(() => subscriber.subscribe("a", AbortSignal.timeout(20)), DOMException);
});
