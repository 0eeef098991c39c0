/** Options of {@linkcode KeyValueStore.set}. */
export interface SetOptions {
  /**
   * How long the value lives, in milliseconds, rounded up to a whole one. Default: until it is
   * deleted, even where the value it replaces would have expired.
   */
  readonly ttlMs?: number;
  /** Write only where the key holds nothing. Default `false`. */
  readonly ifAbsent?: boolean;
}

/** Options of {@linkcode KeyValueStore.compareAndSet}. */
export interface CompareAndSetOptions {
  /** How long the new value lives, in milliseconds. Default: as long as the old one would have. */
  readonly ttlMs?: number;
}

/** Options of {@linkcode KeyValueStore.increment}. */
export interface IncrementOptions {
  /**
   * How long a number that this call creates lives, in milliseconds. Default: until it is deleted.
   * A number that exists keeps its time, so that a window ends when it was said to.
   */
  readonly ttlMs?: number;
}

/**
 * Where all state goes: sessions, tasks, continuations, limits and single-use marks.
 *
 * - **Text.** Keys and values are well-formed strings, and come back as they were given: a lone
 *   surrogate may not. Callers serialise. Any key may be used, `__proto__` and the empty one too.
 * - **Atomicity.** Each call happens at one moment, as seen by every process that shares the store:
 *   of a hundred callers that compare and set the same value one wins, and no increment is lost.
 *   Nothing holds across two calls. When a call rejects, it wrote nothing as far as the store can
 *   tell; only a lost connection leaves that open.
 * - **Expiry.** From `ttlMs` milliseconds after the write on, the key is as one never written, to
 *   every method. A time to live that is not a positive, finite number rejects with a `RangeError`.
 * - **Fullness.** The class of a key is what comes before its first colon. What is lost without harm
 *   (see {@linkcode EVICTABLE_PREFIXES}) may vanish before its time when space runs out; everything
 *   else is kept, and a write that finds no room rejects with a {@linkcode StoreFullError}. A key says
 *   its class and no option does, so that a store can keep a class in a database of its own and still
 *   find it again on `get`.
 *
 * A store passes the suite of `@limen/mcp/stores/contract`, which states all this as cases.
 *
 * @example
 * ```ts
 * import { type KeyValueStore, memoryStore } from "@limen/mcp/stores/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const store: KeyValueStore = memoryStore();
 * await store.set("session:1", "new", { ttlMs: 60_000 });
 * assertEquals(await store.compareAndSet("session:1", "new", "ready"), true);
 * assertEquals(await store.get("session:1"), "ready");
 * ```
 */
export interface KeyValueStore {
  /** Reads a value; `undefined` where there is none, or no longer. */
  get(key: string): Promise<string | undefined>;

  /**
   * Writes a value.
   *
   * @returns Whether it was written: `false` only with `ifAbsent`, where the key holds a value.
   */
  set(key: string, value: string, options?: SetOptions): Promise<boolean>;

  /**
   * Removes a value.
   *
   * @returns Whether there was one.
   */
  delete(key: string): Promise<boolean>;

  /**
   * Replaces a value, unless somebody else was faster. Where there may be no value yet, begin with
   * `set(key, next, { ifAbsent: true })`.
   *
   * @param expected What the key must hold.
   * @param next What it holds then.
   * @returns Whether it was replaced; nothing changes where the key holds something else, or nothing.
   */
  compareAndSet(
    key: string,
    expected: string,
    next: string,
    options?: CompareAndSetOptions,
  ): Promise<boolean>;

  /**
   * Adds to a number, which is 0 where the key holds nothing. `get` reads it in decimal digits.
   *
   * Rejects, and changes nothing, where the key holds anything but an integer in plain decimal digits
   * (`TypeError`), and where `by` or the sum is no safe integer (`RangeError`).
   *
   * @param by What to add; negative to take away.
   * @returns The new number.
   */
  increment(key: string, by: number, options?: IncrementOptions): Promise<number>;
}
