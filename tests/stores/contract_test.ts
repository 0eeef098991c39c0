/**
 * The contracts themselves: each broken store and broker below must fail the case that is about what
 * it breaks, and a sound one of another make must pass.
 *
 * @module
 */
import {
  type Broker,
  brokerContract,
  type ContractCase,
  type KeyValueStore,
  storeContract,
} from "@limen/mcp/stores/contract";
import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { SubscriptionQueue } from "../../src/stores/subscription_queue.ts";

type Fault<T> = readonly [title: string, failing: string, make: (sound: T) => Partial<T>];

const storeFaults: readonly Fault<KeyValueStore>[] = [
  ["answers null for nothing", "get() answers undefined", (sound) => ({
    get: async (key) => (await sound.get(key) ?? null) as string,
  })],
  ["trims keys", "keys are matched character by character", (sound) => ({
    get: (key) => sound.get(key.trim()),
    set: (key, ...rest) => sound.set(key.trim(), ...rest),
  })],
  ["normalises values", "values come back as they were given", (sound) => ({
    set: (key, value, options) => sound.set(key, value.normalize("NFC"), options),
  })],
  ["looks, then writes", "set() with ifAbsent lets one of 100 callers win", (sound) => ({
    set: async (key, value, options) => {
      if (options?.ifAbsent && await sound.get(key) !== undefined) return false;
      return sound.set(key, value, options?.ttlMs ? { ttlMs: options.ttlMs } : {});
    },
  })],
  ["compares, then sets", "compareAndSet() lets one of 100 callers win", (sound) => ({
    compareAndSet: async (key, expected, next, options) =>
      await sound.get(key) === expected && await sound.set(key, next, options),
  })],
  ["reads, then adds", "increment() loses nothing among 100 callers", (sound) => ({
    increment: async (key, by, options) => {
      const sum = Number(await sound.get(key) ?? 0) + by;
      await sound.set(key, String(sum), options);
      return sum;
    },
  })],
  ["says of a delete that it found something", "delete() answers whether", (sound) => ({
    delete: async (key) => (await sound.delete(key), true),
  })],
  ["never expires", "set() with ttlMs: the key expires", (sound) => ({
    set: (key, value, options) => sound.set(key, value, { ifAbsent: options?.ifAbsent ?? false }),
  })],
  ["keeps the old time in set()", "set() starts the time again, or ends it", (sound) => ({
    set: async (key, value, options) => {
      const old = await sound.get(key);
      if (old === undefined || options?.ifAbsent) return sound.set(key, value, options);
      return sound.compareAndSet(key, old, value);
    },
  })],
  ["loses the time in compareAndSet()", "compareAndSet() without ttlMs keeps", (sound) => ({
    compareAndSet: (key, expected, next, options) =>
      sound.compareAndSet(key, expected, next, { ttlMs: 1e9, ...options }),
  })],
  ["ignores ttlMs in compareAndSet()", "compareAndSet() with ttlMs starts", (sound) => ({
    compareAndSet: (key, expected, next) => sound.compareAndSet(key, expected, next),
  })],
  ["prolongs a window at every increment", "increment() sets the time of what", (sound) => ({
    increment: async (key, by, options) => {
      const sum = await sound.increment(key, by, options);
      if (options?.ttlMs) await sound.compareAndSet(key, String(sum), String(sum), options);
      return sum;
    },
  })],
  ["takes any ttlMs", "a ttlMs that is not positive and finite rejects", (sound) => ({
    increment: (key, by) => sound.increment(key, by),
  })],
  ["counts text as 0", "increment() rejects text that is no integer", (sound) => ({
    increment: (key, by, options) =>
      sound.increment(key, by, options).catch(() => sound.set(key, String(by)).then(() => by)),
  })],
];

for (const [title, failing, make] of storeFaults) {
  Deno.test(`storeContract() catches a store that ${title}`, async () => {
    const failures = await failuresOf(storeContract({
      name: "broken",
      open: () => {
        let now = 0;
        const sound = memoryStore({ clock: { now: () => now } });
        return { store: override(sound, make(sound)), advance: (ms) => void (now += ms) };
      },
    }));
    assert(failures.some((title) => title.startsWith(`broken: ${failing}`)), failures.join("\n"));
  });
}

const brokerFaults: readonly Fault<Broker>[] = [
  ["is live a little later", "subscribe() resolves once the subscription is live", (sound) => ({
    subscribe: (topics, options) => {
      const late = later().then(() => sound.subscribe(topics, options));
      return Promise.resolve({
        end: undefined,
        close: async () => await (await late).close(),
        async *[Symbol.asyncIterator]() {
          yield* await late;
        },
      });
    },
  })],
  ["matches by prefix", "topics are matched character by character", (sound) => ({
    publish: (topic, payload) => sound.publish(topic.replace(/a\*$/, "a"), payload),
  })],
  ["sends twice", "every subscription of a topic is sent every message", (sound) => ({
    publish: async (topic, payload) =>
      await sound.publish(topic, payload) && await sound.publish(topic, payload),
  })],
  ["counts nobody", "subscribe() resolves once the subscription is live", (sound) => ({
    publish: async (topic, payload) => (await sound.publish(topic, payload), 0),
  })],
  ["turns messages round", "messages to a topic come in the order", (sound) => {
    let gate = Promise.resolve(0);
    return {
      publish: (topic, payload) => {
        if (payload === "0") return gate = new Promise((done) => setTimeout(done, 1, 1));
        const sent = gate.then(() => sound.publish(topic, payload));
        if (payload === "99") sent.then(() => sound.publish(topic, "0"));
        return sent;
      },
    };
  }],
  ["never collapses", "with collapse, equal messages", (sound) => ({
    subscribe: (topics, options) => sound.subscribe(topics, { ...options, collapse: false }),
  })],
  ["always collapses", "equal messages are all yielded", (sound) => ({
    subscribe: (topics, options) => sound.subscribe(topics, { ...options, collapse: true }),
  })],
  ["knows no bound", "a reader that is too slow is ended", (sound) => ({
    subscribe: (topics, options) => sound.subscribe(topics, { ...options, maxWaiting: 1e6 }),
  })],
  ["knows no bound in bytes", "what waits is bounded in bytes", (sound) => ({
    subscribe: (topics, options) => sound.subscribe(topics, { ...options, maxWaitingBytes: 1e9 }),
  })],
  ["forgets to release", "close() may be called again", (sound) => ({
    subscribe: async (topics, options) => {
      const subscription = await sound.subscribe(topics, options);
      await sound.subscribe(topics, options);
      return subscription;
    },
  })],
];

for (const [title, failing, make] of brokerFaults) {
  Deno.test(`brokerContract() catches a broker that ${title}`, async () => {
    const failures = await failuresOf(brokerContract({
      name: "broken",
      open: () => {
        const sound = memoryBroker();
        return { broker: override(sound, make(sound)) };
      },
      patienceMs: 20,
    }));
    assert(failures.some((title) => title.startsWith(`broken: ${failing}`)), failures.join("\n"));
  });
}

Deno.test("storeContract() waits where nothing moves the clock, and leaves no timer", async () => {
  let closed = 0;
  const cases = storeContract({
    name: "real time",
    open: () => Promise.resolve({ store: memoryStore(), close: () => void closed++ }),
  });
  const timed = cases.find(({ title }) => title.includes("a ttlMs may be a fraction"));
  const start = Date.now();
  await timed?.run();
  assert(Date.now() - start >= 600);
  assertEquals(closed, 1);
});

Deno.test("storeContract() closes what it opened when a case fails, and says what it saw", async () => {
  let closed = 0;
  const [first] = storeContract({
    name: "broken",
    open: () => ({
      store: override(memoryStore(), { get: () => Promise.resolve("x".repeat(300)) }),
      close: () => void closed++,
    }),
  });
  assertEquals(first?.title, "broken: get() answers undefined where nothing was written");
  const error = await assertRejects(() => first!.run(), Error, "get(): expected undefined, got");
  assertStringIncludes(error.message, "… (302 characters)");
  assertEquals(closed, 1);
});

Deno.test("brokerContract() asks a broker with a connection to reset", async () => {
  const title = "a lost connection ends every subscription, and new ones work";
  for (const end of ["reset", "closed"] as const) {
    const cases = brokerContract({ name: "b", open: () => connectedBroker(end), patienceMs: 20 });
    assertEquals(await failuresOf(cases), end === "reset" ? [] : [`b: ${title}`]);
  }
});

/** A broker whose messages take a while, as over a network. */
function connectedBroker(end: "reset" | "closed") {
  const live = new Map<SubscriptionQueue, ReadonlySet<string>>();
  const broker: Broker = {
    get activeSubscriptions() {
      return live.size;
    },
    publish: async (topic, payload) => {
      await later();
      const reached = [...live].filter(([, topics]) => topics.has(topic));
      for (const [queue] of reached) queue.push({ topic, payload });
      return Math.min(1, reached.length);
    },
    subscribe: async (topics, options) => {
      await later();
      const queue: SubscriptionQueue = new SubscriptionQueue({
        ...options,
        release: () => void live.delete(queue),
      });
      live.set(queue, new Set(topics));
      return queue;
    },
  };
  const disconnect = () => [...live.keys()].forEach((queue) => queue.finish(end));
  return { broker, disconnect };
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function override<T extends object>(sound: T, fault: Partial<T>): T {
  return new Proxy(sound, {
    get: (target, name) => Reflect.get(name in fault ? fault : target, name),
  });
}

async function failuresOf(cases: readonly ContractCase[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { title, run } of cases) await run().catch(() => failures.push(title));
  return failures;
}
