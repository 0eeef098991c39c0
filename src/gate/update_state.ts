import type { KeyValueStore } from "../stores/key_value_store.ts";

/** How a limiter's state changes. */
export interface Change {
  /** How long the state is kept after it was written, in milliseconds. */
  readonly ttlMs: number;
  /**
   * Counts one call; asked again where another process was faster.
   *
   * @param held The state, `undefined` for a fresh one.
   * @returns The next state, or after how many seconds a call is admitted again.
   */
  readonly count: (held: string | undefined) => string | number;
}

/**
 * How often the others may be faster. Each time, a call of theirs was admitted: on a key so busy the
 * quota is all but gone, or far larger than such a key should have.
 */
const MAX_ATTEMPTS = 64;

/**
 * Counts a call in a state that several processes share. Of two that change the same state one
 * begins again, so that no call goes uncounted; one that never gets its turn is refused.
 *
 * @returns `undefined` for an admitted call, else the seconds to wait.
 */
export async function updateState(
  store: KeyValueStore,
  key: string,
  { ttlMs, count }: Change,
): Promise<number | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const held = await store.get(key);
    const next = count(held);
    if (typeof next === "number") return next;
    const isWritten = held === undefined
      ? await store.set(key, next, { ttlMs, ifAbsent: true })
      : await store.compareAndSet(key, held, next, { ttlMs });
    if (isWritten) return undefined;
  }
  return 1;
}
