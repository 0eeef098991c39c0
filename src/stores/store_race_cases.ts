import { expectEqual } from "./expect_equal.ts";
import type { StoreCase } from "./store_trial.ts";

/** How many callers run against each other. */
const CALLERS = 100;

/** What callers who come at the same time see of a store. */
export const storeRaceCases: readonly StoreCase[] = [
  ["increment() loses nothing among 100 callers", async ({ store, key }) => {
    const answers = await race(() => store.increment(key("a"), 1));
    answers.sort((a, b) => a - b);
    expectEqual(answers, Array.from({ length: CALLERS }, (_, i) => i + 1), "what they were told");
    expectEqual(await store.get(key("a")), "100", "get()");
  }],
  ["compareAndSet() lets one of 100 callers win", async ({ store, key }) => {
    await store.set(key("a"), "free");
    const answers = await race((i) => store.compareAndSet(key("a"), "free", `taken by ${i}`));
    expectOneWinner(answers, await store.get(key("a")));
  }],
  ["set() with ifAbsent lets one of 100 callers win", async ({ store, key }) => {
    const answers = await race((i) => store.set(key("a"), `taken by ${i}`, { ifAbsent: true }));
    expectOneWinner(answers, await store.get(key("a")));
  }],
  ["delete() tells one of 100 callers that something was there", async ({ store, key }) => {
    await store.set(key("a"), "x");
    const answers = await race(() => store.delete(key("a")));
    expectEqual(answers.filter(Boolean).length, 1, "how many were told");
  }],
  ["compareAndSet() in a loop adds up", async ({ store, key }) => {
    await store.set(key("a"), "0");
    await race(async () => {
      for (let attempt = 0; attempt < 10 * CALLERS; attempt++) {
        const seen = await store.get(key("a")) ?? "";
        if (await store.compareAndSet(key("a"), seen, String(Number(seen) + 1))) return;
      }
    });
    expectEqual(await store.get(key("a")), "100", "get()");
  }],
  ["increment() and compareAndSet() see each other", async ({ store, key }) => {
    await store.set(key("a"), "0");
    const answers = await race<number | boolean>((i) =>
      i % 2 === 0 ? store.increment(key("a"), 1) : store.compareAndSet(key("a"), "0", "1000")
    );
    const wins = answers.filter((answer) => answer === true).length;
    const seen = Number(await store.get(key("a")));
    // The change can only come before the first increment.
    expectEqual(wins === 1 ? seen : seen + 1000, 1050, `get() after ${wins} changes`);
  }],
];

function race<T>(call: (caller: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: CALLERS }, (_, i) => call(i)));
}

function expectOneWinner(answers: readonly boolean[], value: string | undefined): void {
  const winners = answers.flatMap((isWinner, i) => isWinner ? [`taken by ${i}`] : []);
  expectEqual(winners, [value], "who won");
}
