import { expectEqual } from "./expect_equal.ts";
import type { StoreCase } from "./store_trial.ts";

/** Long enough for a slow connection to read a value before it expires. */
const TTL_MS = 600;
const HALF_MS = 300;

/** What one caller sees of a store as time passes. */
export const storeExpiryCases: readonly StoreCase[] = [
  ["set() with ttlMs: the key expires, to every method", async ({ store, key, pass }) => {
    for (const name of ["a", "b", "c", "d", "e"]) {
      await store.set(key(name), "5", { ttlMs: TTL_MS });
    }
    await pass(HALF_MS);
    expectEqual(await store.get(key("a")), "5", "get() before its time");
    await pass(TTL_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after its time");
    expectEqual(await store.delete(key("b")), false, "delete()");
    expectEqual(await store.compareAndSet(key("c"), "5", "6"), false, "compareAndSet()");
    expectEqual(await store.increment(key("d"), 1), 1, "increment()");
    expectEqual(await store.set(key("e"), "6", { ifAbsent: true }), true, "set() with ifAbsent");
  }],
  ["set() starts the time again, or ends it", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS });
    await store.set(key("b"), "1", { ttlMs: TTL_MS });
    await pass(HALF_MS);
    await store.set(key("a"), "2", { ttlMs: 2 * TTL_MS });
    await store.set(key("b"), "2");
    await pass(TTL_MS);
    expectEqual(await store.get(key("a")), "2", "get() within the second time");
    expectEqual(await store.get(key("b")), "2", "get() of what has no time");
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the second time");
    expectEqual(await store.get(key("b")), "2", "get() of what has no time");
  }],
  ["set() with ifAbsent leaves the time of what is there", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS });
    await store.set(key("a"), "2", { ttlMs: 10 * TTL_MS, ifAbsent: true });
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the first time");
  }],
  ["compareAndSet() without ttlMs keeps the time", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS });
    await store.set(key("b"), "1");
    expectEqual(await store.compareAndSet(key("a"), "1", "2"), true, "compareAndSet()");
    expectEqual(await store.compareAndSet(key("b"), "1", "2"), true, "compareAndSet()");
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the time");
    expectEqual(await store.get(key("b")), "2", "get() of what has no time");
  }],
  ["compareAndSet() with ttlMs starts the time again", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS });
    await store.set(key("b"), "1");
    await store.set(key("c"), "1", { ttlMs: TTL_MS });
    await store.compareAndSet(key("a"), "1", "2", { ttlMs: 3 * TTL_MS });
    await store.compareAndSet(key("b"), "1", "2", { ttlMs: TTL_MS });
    await store.compareAndSet(key("c"), "0", "2", { ttlMs: 10 * TTL_MS });
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), "2", "get() within the new time");
    expectEqual(await store.get(key("b")), undefined, "get() of what had no time before");
    expectEqual(await store.get(key("c")), undefined, "get() after a mismatch");
    await pass(2 * TTL_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the new time");
  }],
  ["increment() sets the time of what it creates, and of nothing else", async (trial) => {
    const { store, key, pass } = trial;
    await store.increment(key("a"), 1, { ttlMs: TTL_MS });
    await store.set(key("b"), "1");
    await store.increment(key("c"), 1);
    await pass(HALF_MS);
    await store.increment(key("a"), 1, { ttlMs: 10 * TTL_MS });
    await store.increment(key("b"), 1, { ttlMs: TTL_MS });
    await store.increment(key("c"), 1, { ttlMs: TTL_MS });
    expectEqual(await store.get(key("a")), "2", "get() within the time");
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the time of the first");
    expectEqual(await store.get(key("b")), "2", "get() of what was set without time");
    expectEqual(await store.get(key("c")), "2", "get() of what was created without time");
    expectEqual(await store.increment(key("a"), 1, { ttlMs: TTL_MS }), 1, "increment() anew");
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after the new time");
  }],
  ["a key without ttlMs stays, and deleting forgets the time", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS });
    await store.delete(key("a"));
    await store.increment(key("a"), 1);
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), "1", "get()");
  }],
  ["a ttlMs may be a fraction, and is rounded up", async ({ store, key, pass }) => {
    await store.set(key("a"), "1", { ttlMs: TTL_MS + 0.25 });
    await store.increment(key("b"), 1, { ttlMs: TTL_MS + 0.25 });
    await store.compareAndSet(key("a"), "1", "2", { ttlMs: TTL_MS + 0.25 });
    expectEqual(await store.get(key("a")), "2", "get() before its time");
    await pass(TTL_MS + HALF_MS);
    expectEqual(await store.get(key("a")), undefined, "get() after its time");
    expectEqual(await store.get(key("b")), undefined, "get() after its time");
  }],
];
