/** RL-5 by the decisions: every limiter is atomic on every store; `tests/redis` has them in processes. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  fixedWindow,
  type RateLimiter,
  slidingWindow,
  tokenBucket,
} from "@limen/mcp";
import fc from "fast-check";
import type { Charge } from "../../src/gate/rate_limiter.ts";
import type { KeyValueStore } from "../../src/stores/key_value_store.ts";
import { memoryStore } from "../../src/stores/memory_store.ts";

/** A clock, a store that goes by it, and charges of one caller. */
function createTrial(wrap = (store: KeyValueStore) => store) {
  const time = { now: 0 };
  const store = wrap(memoryStore({ clock: { now: () => time.now } }));
  const charge = (id = "ada", namespace = "t"): Charge => ({
    caller: { user: { id, authenticated: true } },
    host: {},
    namespace,
    store,
    now: time.now,
  });
  return { time, store, charge };
}

/** What each call gets: the time of it in milliseconds, and the seconds to wait. */
type Script = readonly (readonly [at: number, waits: number | undefined])[];

// RL-3
const SCRIPTS: readonly (readonly [title: string, limiter: RateLimiter, script: Script])[] = [
  ["fixedWindow() begins again with each window", fixedWindow({ maxCalls: 2, perSeconds: 10 }), [
    [3000, undefined],
    [9000, undefined],
    [9000, 1],
    [9999, 1],
    [10_000, undefined],
    [10_001, undefined],
    [10_500, 10],
    [20_000, undefined],
  ]],
  ["slidingWindow() waits for the oldest call", slidingWindow({ maxCalls: 2, perSeconds: 10 }), [
    [3000, undefined],
    [9000, undefined],
    [9000, 4],
    [12_999, 1],
    [13_000, undefined],
    [13_000, 6],
    [19_000, undefined],
    [22_999, 1],
    [100_000, undefined],
  ]],
  ["tokenBucket() starts full and fills up", tokenBucket({ capacity: 2, refillPerSecond: 0.5 }), [
    [0, undefined],
    [0, undefined],
    [0, 2],
    [1000, 1],
    [2000, undefined],
    [2000, 2],
    [500_000, undefined],
    [500_000, undefined],
    [500_000, 2],
  ]],
  ["tokenBucket() tells long waits", tokenBucket({ capacity: 1, refillPerSecond: 1 / 3600 }), [
    [0, undefined],
    [500, 3600],
    [3_600_000, undefined],
  ]],
];

for (const [title, limiter, script] of SCRIPTS) {
  Deno.test(title, async () => {
    const { time, charge } = createTrial();
    for (const [at, waits] of script) {
      time.now = at;
      assertEquals(await limiter.consume(charge()), waits, `at ${at}`);
    }
  });
}

const FACTORIES: readonly (readonly [name: string, create: (options?: object) => RateLimiter])[] = [
  ["fixedWindow()", (options) => fixedWindow({ maxCalls: 1, perSeconds: 60, ...options })],
  ["slidingWindow()", (options) => slidingWindow({ maxCalls: 1, perSeconds: 60, ...options })],
  ["tokenBucket()", (options) => tokenBucket({ capacity: 1, refillPerSecond: 0.01, ...options })],
];

for (const [name, create] of FACTORIES) {
  Deno.test(`${name} counts each caller and each namespace alone (RL-4, Q-12)`, async () => {
    const { charge } = createTrial();
    const limiter = create();
    assert(Object.isFrozen(limiter));
    assertEquals(await limiter.consume(charge("ada")), undefined);
    assertEquals(await limiter.consume(charge("bob")), undefined);
    assertEquals(await limiter.consume(charge("ada", "u")), undefined);
    assert((await limiter.consume(charge("ada")))! >= 1);
    const shared = create({ namespace: "both" });
    assertEquals(await shared.consume(charge("ada", "t")), undefined);
    assert((await shared.consume(charge("ada", "u")))! >= 1);
  });

  Deno.test(`${name} counts by the author's key, which is never taken for an id`, async () => {
    const { charge } = createTrial();
    const limiter = create({ key: ({ user }: { user: { id: string } }) => user.id[0]! });
    assertEquals(await limiter.consume(charge("ada")), undefined);
    assertEquals(await create().consume(charge("a")), undefined);
    assert((await limiter.consume(charge("ann")))! >= 1);
    assertEquals(await limiter.consume(charge("bob")), undefined);
  });

  Deno.test(`${name} keeps keys of which a full store may drop any`, async () => {
    const keys: string[] = [];
    const { charge } = createTrial((store) => ({
      ...store,
      set: (key, ...rest) => (keys.push(key), store.set(key, ...rest)),
      increment: (key, ...rest) => (keys.push(key), store.increment(key, ...rest)),
    }));
    await create().consume(charge('a","b', "\ud800"));
    assertEquals(keys.length, 1);
    assertMatch(keys[0]!, /^limit:.*\["\\ud800","p:a\\",\\"b"\]/);
  });

  Deno.test(`${name} admits its quota of 20 callers at once in two processes`, async () => {
    const { charge } = createTrial(distant);
    const processes = [5, 5].map((quota) => create({ [quotaOf(name)]: quota }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => processes[i % 2]!.consume(charge())),
    );
    assertEquals(answers.filter((waits) => waits === undefined).length, 5);
    assert(answers.every((waits) => waits === undefined || waits >= 1));
  });

  Deno.test(`${name} admits all of 20 callers at once within the quota`, async () => {
    const { charge } = createTrial(distant);
    const limiter = create({ [quotaOf(name)]: 20 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => limiter.consume(charge())),
    );
    assertEquals(answers.filter((waits) => waits !== undefined), []);
  });
}

for (const [name, create] of FACTORIES.slice(1)) {
  Deno.test(`${name} refuses a call that others always come before`, async () => {
    let tries = 0;
    const { charge } = createTrial((store) => ({
      ...store,
      // deno-lint-ignore require-await
      set: async () => {
        tries++;
        return false;
      },
    }));
    assertEquals(await create().consume(charge()), 1);
    assertEquals(tries, 64);
  });
}

function quotaOf(name: string): string {
  return name === "tokenBucket()" ? "capacity" : "maxCalls";
}

/** A store whose answers take their time and overtake each other, as over a network. */
function distant(store: KeyValueStore): KeyValueStore {
  let seed = 1;
  const travel = async (): Promise<void> => {
    seed = seed * 48271 % 2147483647;
    for (let i = seed % 7; i >= 0; i--) await undefined;
  };
  const far = <A extends readonly unknown[], R>(ask: (...args: A) => Promise<R>) =>
  async (
    ...args: A
  ): Promise<R> => {
    await travel();
    const answer = await ask(...args);
    await travel();
    return answer;
  };
  return {
    get: far(store.get),
    set: far(store.set),
    delete: far(store.delete),
    compareAndSet: far(store.compareAndSet),
    increment: far(store.increment),
  };
}

/** Bursts of concurrent calls, each some time after the last. */
const bursts = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 4000 }), calls: fc.integer({ min: 1, max: 8 }) }),
  { minLength: 1, maxLength: 15 },
);

/** Runs bursts whose steps in the store come in any order, and answers when calls were admitted. */
async function admittedTimes(
  limiter: RateLimiter,
  rounds: readonly { readonly after: number; readonly calls: number }[],
  scheduler: fc.Scheduler,
): Promise<readonly number[]> {
  const { time, charge } = createTrial((store) => ({
    get: scheduler.scheduleFunction(store.get),
    set: scheduler.scheduleFunction(store.set),
    delete: scheduler.scheduleFunction(store.delete),
    compareAndSet: scheduler.scheduleFunction(store.compareAndSet),
    increment: scheduler.scheduleFunction(store.increment),
  }));
  const admitted: number[] = [];
  for (const { after, calls } of rounds) {
    time.now += after;
    const pending = Array.from({ length: calls }, async () => {
      if (await limiter.consume(charge()) === undefined) admitted.push(time.now);
    });
    await scheduler.waitFor(Promise.all(pending));
  }
  return admitted;
}

Deno.test("fixedWindow() admits exactly the quota of each window, in any interleaving", async () => {
  await fc.assert(
    fc.asyncProperty(bursts, fc.scheduler(), async (rounds, scheduler) => {
      const limiter = fixedWindow({ maxCalls: 4, perSeconds: 5 });
      const times = await admittedTimes(limiter, rounds, scheduler);
      for (const time of times) {
        const window = Math.floor(time / 5000);
        assert(times.filter((other) => Math.floor(other / 5000) === window).length <= 4);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("slidingWindow() admits the quota of any stretch, in any interleaving", async () => {
  await fc.assert(
    fc.asyncProperty(bursts, fc.scheduler(), async (rounds, scheduler) => {
      const limiter = slidingWindow({ maxCalls: 4, perSeconds: 5 });
      const times = await admittedTimes(limiter, rounds, scheduler);
      for (const from of times) {
        assert(times.filter((time) => time >= from && time < from + 5000).length <= 4);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("tokenBucket() admits what it holds and what is refilled, in any interleaving", async () => {
  await fc.assert(
    fc.asyncProperty(bursts, fc.scheduler(), async (rounds, scheduler) => {
      const limiter = tokenBucket({ capacity: 4, refillPerSecond: 0.7 });
      const times = await admittedTimes(limiter, rounds, scheduler);
      for (const from of times) {
        for (const to of times.filter((time) => time >= from)) {
          const calls = times.filter((time) => time >= from && time <= to).length;
          assert(calls <= 4 + (to - from) / 1000 * 0.7 + 1e-6);
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("a caller who waits as long as told is admitted", async () => {
  const steps = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 5, maxLength: 30 });
  const rates = fc.double({ min: 0.01, max: 3, noNaN: true });
  await fc.assert(
    fc.asyncProperty(steps, rates, async (gaps, rate) => {
      for (
        const limiter of [
          fixedWindow({ maxCalls: 2, perSeconds: 1 / rate }),
          slidingWindow({ maxCalls: 2, perSeconds: 1 / rate }),
          tokenBucket({ capacity: 2, refillPerSecond: rate }),
        ]
      ) {
        const { time, charge } = createTrial();
        for (const gap of gaps) {
          time.now += gap;
          const waits = await limiter.consume(charge());
          if (waits === undefined) continue;
          assert(Number.isInteger(waits) && waits >= 1);
          time.now += waits * 1000;
          assertEquals(await limiter.consume(charge()), undefined);
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("a clock that runs behind forgets no call and fills no bucket twice", async () => {
  const sliding = slidingWindow({ maxCalls: 2, perSeconds: 10 });
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 0.1 });
  for (const limiter of [sliding, bucket]) {
    const { charge } = createTrial();
    const at = (now: number) => limiter.consume({ ...charge(), now });
    assertEquals(await at(5000), undefined);
    assertEquals(await at(2000), undefined);
    assert((await at(2000))! >= 1);
    assert((await at(5000))! >= 1);
  }
});

const REFUSED: readonly (readonly [create: () => unknown, message: RegExp])[] = [
  [() => fixedWindow({ maxCalls: 0, perSeconds: 1 }), /fixedWindow\(\): maxCalls must be an integ/],
  [() => fixedWindow({ maxCalls: 1.5, perSeconds: 1 }), /maxCalls must be an integer/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: 0 }), /perSeconds must be a number of seconds/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: NaN }), /perSeconds must be a number of seconds/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: 1e9 }), /perSeconds must be a number of seconds/],
  [() => fixedWindow({ maxCalls: 1 } as never), /perSeconds must be/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: 1, x: 1 } as never), /x is not an option/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: 1, namespace: "" }), /namespace must be a text/],
  [() => fixedWindow({ maxCalls: 1, perSeconds: 1, key: "ip" as never }), /key must be a function/],
  [
    () => slidingWindow({ maxCalls: 1001, perSeconds: 1 }),
    /slidingWindow\(\): maxCalls.*at most 1/,
  ],
  [() => tokenBucket({ capacity: -1, refillPerSecond: 1 }), /tokenBucket\(\): capacity must be/],
  [() => tokenBucket({ capacity: 1, refillPerSecond: 0 }), /refillPerSecond must be a number/],
  [() => tokenBucket({ capacity: 1, refillPerSecond: Infinity }), /refillPerSecond must be a num/],
  [() => tokenBucket({ capacity: 1, refillPerSecond: 1e-9 }), /refillPerSecond must fill the/],
];

for (const [create, message] of REFUSED) {
  Deno.test(`a limiter is checked when it is built: ${message.source}`, () => {
    assertMatch(assertThrows(create, ConfigurationError).message, message);
  });
}

Deno.test("a key that is no text fails the call", async () => {
  const { charge } = createTrial();
  const limiter = fixedWindow({ maxCalls: 1, perSeconds: 1, key: () => undefined as never });
  const cause = await Promise.resolve(limiter.consume(charge())).catch((error) => error);
  assertMatch(String(cause), /TypeError: Cannot count a call: key must answer a text/);
});
