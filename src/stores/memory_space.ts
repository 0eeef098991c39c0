import { EVICTABLE_PREFIXES } from "./evictable_prefixes.ts";
import { type ExpiringEntry, ExpiringMap } from "./expiring_map.ts";
import { StoreFullError } from "./store_full_error.ts";

/** How many entries of each class a write looks at, to remove those that expired. */
const LOOKS = 2;

/** How often all entries may be looked at because there is no room, in milliseconds. */
const FULL_SWEEP_MS = 1000;

/** The room of a memory store: its entries by class, and who makes way for whom. */
export class MemorySpace {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  /** What the entries that may not be dropped may take, so that the others always find room. */
  readonly #maxKeptEntries: number;
  readonly #maxKeptBytes: number;
  readonly #kept: ExpiringMap = new ExpiringMap();
  /** In the order of the prefixes. */
  readonly #evictable: readonly ExpiringMap[] = EVICTABLE_PREFIXES.map(() => new ExpiringMap());
  readonly #classes: readonly ExpiringMap[] = [this.#kept, ...this.#evictable];
  #sweptAt = -Infinity;

  /** Makes an empty space with these bounds. */
  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
    this.#maxKeptEntries = Math.floor(maxEntries * 3 / 4);
    this.#maxKeptBytes = Math.floor(maxBytes * 3 / 4);
  }

  /** How many entries there are, expired ones included. */
  get size(): number {
    return this.#classes.reduce((sum, { size }) => sum + size, 0);
  }

  /** What the entries count for together. */
  get bytes(): number {
    return this.#classes.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Finds an entry that has not expired. */
  get(key: string, now: number): ExpiringEntry | undefined {
    return this.#classOf(key).get(key, now);
  }

  /**
   * Removes an entry.
   *
   * @returns Whether there was one that had not expired.
   */
  delete(key: string, now: number): boolean {
    const isFound = this.get(key, now) !== undefined;
    this.#classOf(key).delete(key);
    return isFound;
  }

  /**
   * Writes an entry, and makes room for it.
   *
   * @throws {StoreFullError} when there is no room; the old entry is still there then.
   */
  set(key: string, value: string, expiresAt: number, now: number): void {
    const entries = this.#classOf(key);
    const entry = { value, expiresAt, bytes: 2 * (key.length + value.length) };
    for (const entries of this.#classes) entries.sweep(now, LOOKS);
    const old = entries.get(key, now);
    const more = old === undefined ? 1 : 0;
    const moreBytes = entry.bytes - (old?.bytes ?? 0);
    const isFull = () =>
      this.size + more > this.#maxEntries || this.bytes + moreBytes > this.#maxBytes;
    const isRefused = () =>
      entries === this.#kept
        ? this.#kept.size + more > this.#maxKeptEntries ||
          this.#kept.bytes + moreBytes > this.#maxKeptBytes
        : entry.bytes > this.#maxBytes - this.#maxKeptBytes;
    if (isFull() || isRefused()) this.#sweepAll(now);
    if (isRefused()) throw new StoreFullError(this.#describe());
    entries.delete(key);
    while (this.size >= this.#maxEntries || this.bytes + entry.bytes > this.#maxBytes) {
      if (!this.#evictable.some((entries) => entries.deleteOldest())) break;
    }
    entries.set(key, entry);
  }

  #classOf(key: string): ExpiringMap {
    const index = EVICTABLE_PREFIXES.findIndex((prefix) => key.startsWith(prefix));
    return this.#evictable[index] ?? this.#kept;
  }

  /** Removes what expired, unless that was done a moment ago: refusals must stay cheap. */
  #sweepAll(now: number): void {
    if (Math.abs(now - this.#sweptAt) < FULL_SWEEP_MS) return;
    this.#sweptAt = now;
    for (const entries of this.#classes) entries.sweep(now, entries.size + 1);
  }

  #describe(): string {
    const { size, bytes } = this.#kept;
    return "Cannot write to the memory store: no room is left: " +
      `${size} of ${this.#maxKeptEntries} entries and ${bytes} of ${this.#maxKeptBytes} bytes are taken`;
  }
}
