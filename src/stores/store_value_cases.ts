import { expectEqual } from "./expect_equal.ts";
import type { StoreCase } from "./store_trial.ts";

/** What one caller sees of a store while no time passes. */
export const storeValueCases: readonly StoreCase[] = [
  ["get() answers undefined where nothing was written", async ({ store, key }) => {
    expectEqual(await store.get(key("a")), undefined, "get()");
  }],
  ["set() writes, and writes over", async ({ store, key }) => {
    expectEqual(await store.set(key("a"), "one"), true, "set()");
    expectEqual(await store.set(key("a"), "two"), true, "set() of a key that exists");
    expectEqual(await store.get(key("a")), "two", "get()");
    expectEqual(await store.set(key("a"), ""), true, "set() of an empty value");
    expectEqual(await store.get(key("a")), "", "get() of an empty value");
  }],
  ["set() with ifAbsent writes once, and again after delete()", async ({ store, key }) => {
    const first = await store.set(key("a"), "first", { ifAbsent: true });
    expectEqual(first, true, "set() where nothing is");
    const second = await store.set(key("a"), "second", { ifAbsent: true });
    expectEqual(second, false, "set() where something is");
    expectEqual(await store.get(key("a")), "first", "get()");
    await store.delete(key("a"));
    const third = await store.set(key("a"), "third", { ifAbsent: true });
    expectEqual(third, true, "set() after delete()");
    expectEqual(await store.get(key("a")), "third", "get() after delete()");
  }],
  ["set() with ifAbsent takes an empty value for a value", async ({ store, key }) => {
    await store.set(key("a"), "");
    const isWritten = await store.set(key("a"), "x", { ifAbsent: true });
    expectEqual(isWritten, false, "set() over an empty value");
  }],
  ["delete() answers whether there was something", async ({ store, key }) => {
    await store.set(key("a"), "");
    expectEqual(await store.delete(key("a")), true, "delete()");
    expectEqual(await store.get(key("a")), undefined, "get() after delete()");
    expectEqual(await store.delete(key("a")), false, "delete() again");
  }],
  ["compareAndSet() replaces what it expects, and nothing else", async ({ store, key }) => {
    expectEqual(await store.compareAndSet(key("a"), "", "x"), false, "where nothing is");
    expectEqual(await store.get(key("a")), undefined, "get() after a refusal");
    await store.set(key("a"), "one");
    expectEqual(await store.compareAndSet(key("a"), "On", "x"), false, "with another value");
    expectEqual(await store.get(key("a")), "one", "get() after a mismatch");
    expectEqual(await store.compareAndSet(key("a"), "one", "two"), true, "with the value");
    expectEqual(await store.get(key("a")), "two", "get() after the change");
    expectEqual(await store.compareAndSet(key("a"), "two", "two"), true, "with the same value");
  }],
  ["increment() counts from 0, in decimal digits", async ({ store, key }) => {
    expectEqual(await store.increment(key("a"), 5), 5, "increment() by 5");
    expectEqual(await store.increment(key("a"), -7), -2, "increment() by -7");
    expectEqual(await store.get(key("a")), "-2", "get()");
    expectEqual(await store.increment(key("b"), 0), 0, "increment() by 0");
    expectEqual(await store.get(key("b")), "0", "get() of 0");
    await store.set(key("c"), "41");
    expectEqual(await store.increment(key("c"), 1), 42, "increment() of a value that was set");
    expectEqual(await store.compareAndSet(key("c"), "42", "x"), true, "compareAndSet()");
  }],
  ["increment() rejects text that is no integer, and keeps it", async ({ store, key }) => {
    for (const text of ["", "1.5", "ten", "1e3", "0x10", "007", "+1", " 1", "-0"]) {
      await store.set(key("a"), text);
      await expectRejection(store.increment(key("a"), 1), "TypeError", JSON.stringify(text));
      expectEqual(await store.get(key("a")), text, "get() after the rejection");
    }
  }],
  ["increment() rejects what is no integer, and changes nothing", async ({ store, key }) => {
    for (const by of [0.5, NaN, Infinity, 2 ** 53]) {
      await expectRejection(store.increment(key("a"), by), "RangeError", `by ${by}`);
      expectEqual(await store.get(key("a")), undefined, "get() after the rejection");
    }
  }],
  ["increment() rejects a sum that is no safe integer, and keeps the number", async (trial) => {
    const { store, key } = trial;
    for (const [text, by] of [["9007199254740991", 1], ["-9007199254740990", -2]] as const) {
      await store.set(key("a"), text);
      await expectRejection(store.increment(key("a"), by), "RangeError", `${text} and ${by}`);
      expectEqual(await store.get(key("a")), text, "get() after the rejection");
    }
    expectEqual(await store.increment(key("a"), -1), -9007199254740991, "the last safe one");
  }],
  ["a ttlMs that is not positive and finite rejects, and changes nothing", async (trial) => {
    const { store, key } = trial;
    await store.set(key("b"), "1");
    for (const ttlMs of [0, -1, NaN, Infinity]) {
      const claim = `ttlMs ${ttlMs}`;
      await expectRejection(store.set(key("a"), "x", { ttlMs }), "RangeError", claim);
      const change = store.compareAndSet(key("b"), "1", "2", { ttlMs });
      await expectRejection(change, "RangeError", claim);
      await expectRejection(store.increment(key("a"), 1, { ttlMs }), "RangeError", claim);
    }
    expectEqual(await store.get(key("a")), undefined, "get() of what was not there");
    expectEqual(await store.get(key("b")), "1", "get() of what was there");
  }],
  ["keys are matched character by character", async ({ store, key }) => {
    const names = HOSTILE_NAMES.map(key);
    for (const [i, name] of names.entries()) {
      expectEqual(await store.get(name), undefined, `get(${JSON.stringify(name)})`);
      await store.set(name, `value ${i}`);
    }
    for (const [i, name] of names.entries()) {
      expectEqual(await store.get(name), `value ${i}`, `get(${JSON.stringify(name)})`);
      expectEqual(await store.delete(name), true, `delete(${JSON.stringify(name)})`);
    }
  }],
  ["keys need no prefix", async ({ store }) => {
    for (const name of ["", "__proto__", "constructor", "limit:", "continuation:"]) {
      await store.delete(name);
      expectEqual(await store.set(name, "x", { ifAbsent: true }), true, `set("${name}")`);
      expectEqual(await store.get(name), "x", `get("${name}")`);
      expectEqual(await store.delete(name), true, `delete("${name}")`);
    }
  }],
  ["classes of keys are kept apart, and all methods find them", async ({ store, key }) => {
    const classes = ["session:", "limit:", "continuation:"];
    for (const name of classes) await store.set(name + key("a"), name);
    for (const name of classes) {
      expectEqual(await store.get(name + key("a")), name, `get() of "${name}"`);
      const isChanged = await store.compareAndSet(name + key("a"), name, "7");
      expectEqual(isChanged, true, `compareAndSet() of "${name}"`);
      expectEqual(await store.increment(name + key("a"), 1), 8, `increment() of "${name}"`);
      expectEqual(await store.delete(name + key("a")), true, `delete() of "${name}"`);
    }
  }],
  ["values come back as they were given", async ({ store, key }) => {
    for (
      const text of ["é", "e\u0301", "日本語", "👩‍🚀", "\0\r\n\t", "\u2028\uFEFF", "null", " 1 "]
    ) {
      await store.set(key("a"), text);
      expectEqual(await store.get(key("a")), text, "get()");
      expectEqual(await store.compareAndSet(key("a"), text, "x"), true, "compareAndSet()");
    }
  }],
  ["a value may be large", async ({ store, key }) => {
    const text = "é0".repeat(256 * 1024);
    await store.set(key("a"), text);
    expectEqual((await store.get(key("a"))) === text, true, "get() of what was written");
    expectEqual(await store.compareAndSet(key("a"), `${text}.`, "x"), false, "with another value");
    expectEqual(await store.compareAndSet(key("a"), text, "x"), true, "with the value");
  }],
];

const HOSTILE_NAMES: readonly string[] = [
  ...["", " ", "a", "A", "a ", "a:b", "a/b", "a*", "?", "[a]", "{a}", "\\", "'", '"', "\0", "\r\n"],
  ...["é", "e\u0301", "日本語", "👩‍🚀", "__proto__", "constructor", "toString", "k".repeat(1000)],
];

async function expectRejection(
  promise: Promise<unknown>,
  name: string,
  claim: string,
): Promise<void> {
  const seen = await promise.then(
    () => "an answer",
    (error) => error instanceof Error ? error.name : typeof error,
  );
  expectEqual(seen, name, `${claim}: what it rejects with`);
}
