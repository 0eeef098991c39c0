import type { Clock } from "../ports/clock.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import { systemClock } from "../ports/system_clock.ts";
import { checkTtl } from "./check_ttl.ts";
import type { KeyValueStore } from "./key_value_store.ts";
import { MemorySpace } from "./memory_space.ts";

/** Options of {@linkcode memoryStore}. */
export interface MemoryStoreOptions {
  /**
   * How many entries there may be, at least 4. Default 100,000. Without a bound, callers who open
   * sessions would decide how much memory the process takes.
   */
  readonly maxEntries?: number;
  /**
   * What keys and values may count for together, at two bytes for each UTF-16 unit; at least 4.
   * Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** Where the time comes from. Default: the clock of the system. */
  readonly clock?: Clock;
}

/** A {@linkcode KeyValueStore} in the memory of this process. */
export interface MemoryStore extends KeyValueStore {
  /** How many entries are held, expired ones that no sweep has met included. */
  readonly size: number;
  /** What they count for, as in {@linkcode MemoryStoreOptions.maxBytes}. */
  readonly bytes: number;
}

/**
 * Makes a store in the memory of this process: for one process, and for tests. What it holds is
 * gone with the process.
 *
 * Entries that must not be lost take at most three quarters of either bound; past that, writing one
 * rejects with a {@linkcode StoreFullError}, so that somebody who opens sessions without end cannot
 * switch the rate limits off. Continuations and limits take what is left, and make room for the
 * others and for newer ones: continuations first, the one written longest ago before the rest. A
 * single continuation or limit that needs more than a quarter of the bytes is refused.
 *
 * No timer is set. Expired entries go when they are read, a few with every write, and all of them
 * when the store is full, which is looked at once a second.
 *
 * @throws {ConfigurationError} when a bound is no integer, or under 4.
 *
 * @example
 * ```ts
 * import { memoryStore } from "@limen/mcp/stores/memory";
 * import { assertEquals } from "@std/assert";
 *
 * let now = 0;
 * const store = memoryStore({ clock: { now: () => now } });
 * assertEquals(await store.increment("limit:ada", 1, { ttlMs: 1000 }), 1);
 * assertEquals(await store.increment("limit:ada", 1, { ttlMs: 1000 }), 2);
 * now = 1000;
 * assertEquals(await store.get("limit:ada"), undefined);
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const { maxEntries = 100_000, maxBytes = 64 * 1024 * 1024, clock = systemClock } = options;
  const space = new MemorySpace(
    checkBound("maxEntries", maxEntries),
    checkBound("maxBytes", maxBytes),
  );
  return {
    get size() {
      return space.size;
    },
    get bytes() {
      return space.bytes;
    },
    // deno-lint-ignore require-await -- a rejection, never a throw
    async get(key) {
      return space.get(key, clock.now())?.value;
    },
    // deno-lint-ignore require-await
    async set(key, value, { ttlMs, ifAbsent = false } = {}) {
      const now = clock.now();
      const expiresAt = now + (checkTtl(ttlMs) ?? Infinity);
      if (ifAbsent && space.get(key, now) !== undefined) return false;
      space.set(key, value, expiresAt, now);
      return true;
    },
    // deno-lint-ignore require-await
    async delete(key) {
      return space.delete(key, clock.now());
    },
    // deno-lint-ignore require-await
    async compareAndSet(key, expected, next, { ttlMs } = {}) {
      const now = clock.now();
      const ttl = checkTtl(ttlMs);
      const entry = space.get(key, now);
      if (entry === undefined || entry.value !== expected) return false;
      space.set(key, next, ttl === undefined ? entry.expiresAt : now + ttl, now);
      return true;
    },
    // deno-lint-ignore require-await
    async increment(key, by, { ttlMs } = {}) {
      const now = clock.now();
      const expiresAt = now + (checkTtl(ttlMs) ?? Infinity);
      const entry = space.get(key, now);
      const sum = add(entry?.value, by);
      space.set(key, String(sum), entry?.expiresAt ?? expiresAt, now);
      return sum;
    },
  };
}

function checkBound(name: string, bound: number): number {
  if (Number.isSafeInteger(bound) && bound >= 4) return bound;
  throw new ConfigurationError(
    `Cannot create memory store: ${name} must be an integer of at least 4: got ${bound}`,
  );
}

function add(value: string | undefined, by: number): number {
  if (value !== undefined && !/^(0|-?[1-9][0-9]*)$/.test(value)) {
    throw new TypeError("Cannot increment: the key holds text that is no integer");
  }
  const sum = Number(value ?? 0) + by;
  if (Number.isSafeInteger(by) && Number.isSafeInteger(sum)) return sum;
  throw new RangeError(`Cannot increment: by and the sum must be safe integers: got ${by}`);
}
