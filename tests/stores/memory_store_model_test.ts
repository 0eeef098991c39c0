import { type MemoryStore, memoryStore } from "@limen/mcp/stores/memory";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";

/** What the store should hold: values with the time at which they expire. */
interface Model {
  readonly values: Map<string, readonly [value: string, expiresAt: number]>;
  now: number;
}

/** The store, with the hand on its clock. */
interface Real {
  readonly store: MemoryStore;
  readonly time: { now: number };
}

type Command = fc.AsyncCommand<Model, Real>;
type Step = (model: Model, real: Real) => Promise<void>;

/** Keys of every class, those with a meaning to objects, and few enough to meet again. */
const key = fc.constantFrom("", "a", "b", "__proto__", "session:a", "limit:a", "continuation:a");
const value = fc.constantFrom("", "0", "1", "-7", "x", "1.5");
const ttlMs = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });

const commands: fc.Arbitrary<Command>[] = [
  key.map((key) =>
    command(`get(${key})`, async (model, { store }) => {
      assertEquals(await store.get(key), look(model, key));
    })
  ),
  fc.tuple(key, value, ttlMs, fc.boolean()).map(([key, value, ttlMs, ifAbsent]) =>
    command(`set(${key}, ${value}, ${ttlMs}, ${ifAbsent})`, async (model, { store }) => {
      const isWritten = !ifAbsent || look(model, key) === undefined;
      if (isWritten) keep(model, key, value, ttlMs);
      assertEquals(await store.set(key, value, { ...given(ttlMs), ifAbsent }), isWritten);
    })
  ),
  key.map((key) =>
    command(`delete(${key})`, async (model, { store }) => {
      const isFound = look(model, key) !== undefined;
      model.values.delete(key);
      assertEquals(await store.delete(key), isFound);
    })
  ),
  fc.tuple(key, value, value, ttlMs).map(([key, expected, next, ttlMs]) =>
    command(`compareAndSet(${key}, ${expected}, ${next}, ${ttlMs})`, async (model, { store }) => {
      const isMatch = look(model, key) === expected;
      if (isMatch) keep(model, key, next, ttlMs ?? left(model, key));
      assertEquals(await store.compareAndSet(key, expected, next, given(ttlMs)), isMatch);
    })
  ),
  fc.tuple(key, fc.integer({ min: -3, max: 3 }), ttlMs).map(([key, by, ttlMs]) =>
    command(`increment(${key}, ${by}, ${ttlMs})`, async (model, { store }) => {
      const old = look(model, key);
      const isNumber = old === undefined || /^-?\d+$/.test(old);
      const sum = Number(old ?? 0) + by;
      const lifeMs = old === undefined ? ttlMs : left(model, key);
      if (isNumber) keep(model, key, String(sum), lifeMs);
      const answer = await store.increment(key, by, given(ttlMs)).catch(() => "rejected");
      assertEquals(answer, isNumber ? sum : "rejected");
    })
  ),
  fc.integer({ min: 1, max: 15 }).map((ms) =>
    command(`advance(${ms})`, (model, real) => {
      model.now += ms;
      real.time.now += ms;
      return Promise.resolve();
    })
  ),
];

Deno.test("memoryStore() does what a Map and a clock would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 100, size: "max" }), async (commands) => {
      await fc.asyncModelRun(() => {
        const time = { now: 0 };
        const store = memoryStore({ clock: { now: () => time.now } });
        return { model: { values: new Map(), now: 0 }, real: { store, time } };
      }, commands);
    }),
    { numRuns: 300 },
  );
});

Deno.test("memoryStore() keeps within its bounds, and keeps what it may not drop", async () => {
  const write = fc.record({
    prefix: fc.constantFrom("session:", "limit:", "continuation:"),
    id: fc.nat({ max: 12 }),
    length: fc.nat({ max: 60 }),
    ttlMs,
    ms: fc.nat({ max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 200, size: "max" }), async (writes) => {
      const time = { now: 0 };
      const store = memoryStore({ maxEntries: 12, maxBytes: 1000, clock: { now: () => time.now } });
      const kept: Model = { values: new Map(), now: 0 };
      for (const { prefix, id, length, ttlMs, ms } of writes) {
        time.now += ms;
        kept.now = time.now;
        const isWritten = await store.set(prefix + id, "x".repeat(length), given(ttlMs))
          .catch((error) => error.name);
        assert(isWritten === true || isWritten === "StoreFullError" && prefix === "session:");
        if (isWritten === true && prefix === "session:") {
          keep(kept, prefix + id, "x".repeat(length), ttlMs);
        }
        if (isWritten === true) assertEquals((await store.get(prefix + id))?.length, length);
        assert(store.size <= 12, `${store.size} entries`);
        assert(store.bytes <= 1000, `${store.bytes} bytes`);
      }
      for (const key of kept.values.keys()) assertEquals(await store.get(key), look(kept, key));
    }),
    { numRuns: 300 },
  );
});

function command(title: string, run: Step): Command {
  return { check: () => true, run, toString: () => title };
}

function look({ values, now }: Model, key: string): string | undefined {
  const [value, expiresAt] = values.get(key) ?? [undefined, 0];
  return expiresAt > now ? value : undefined;
}

function keep(model: Model, key: string, value: string, ttlMs = Infinity): void {
  model.values.set(key, [value, model.now + ttlMs]);
}

/** How much of its time a value has left. */
function left({ values, now }: Model, key: string): number {
  return (values.get(key)?.[1] ?? Infinity) - now;
}

function given(ttlMs: number | undefined): { ttlMs?: number } {
  return ttlMs === undefined ? {} : { ttlMs };
}
