/** What an {@linkcode ExpiringMap} holds under a key. */
export interface ExpiringEntry {
  /** The value. */
  readonly value: string;
  /** Milliseconds since the epoch; `Infinity` for no end. */
  readonly expiresAt: number;
  /** What the entry counts for, in bytes. */
  readonly bytes: number;
}

interface Link extends ExpiringEntry {
  readonly key: string;
  older: Link;
  newer: Link;
}

/**
 * A map whose entries expire, and that knows which was written longest ago. It sets no timer:
 * expired entries go when they are read, or when a sweep comes by.
 *
 * The order is kept in a ring of links and not in that of the Map, because finding the first key of
 * a Map walks over all that were deleted before it, and an iterator that rests keeps them alive.
 */
export class ExpiringMap {
  readonly #links: Map<string, Link> = new Map();
  /** Between the newest and the oldest entry. */
  readonly #origin: Link = createOrigin();
  /** Where the next sweep begins. */
  #hand: Link = this.#origin;
  #bytes = 0;

  /** How many entries there are, expired ones included. */
  get size(): number {
    return this.#links.size;
  }

  /** What the entries count for together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Finds an entry that has not expired. */
  get(key: string, now: number): ExpiringEntry | undefined {
    const link = this.#links.get(key);
    if (link === undefined || link.expiresAt > now) return link;
    this.#remove(link);
    return undefined;
  }

  /** Writes an entry, which is the newest then. */
  set(key: string, entry: ExpiringEntry): void {
    this.delete(key);
    const newest = this.#origin.older;
    const link = { ...entry, key, older: newest, newer: this.#origin };
    newest.newer = link;
    this.#origin.older = link;
    this.#links.set(key, link);
    this.#bytes += entry.bytes;
  }

  /** Removes an entry, expired or not. */
  delete(key: string): void {
    const link = this.#links.get(key);
    if (link !== undefined) this.#remove(link);
  }

  /**
   * Removes the entry that was written longest ago.
   *
   * @returns Whether there was one.
   */
  deleteOldest(): boolean {
    const oldest = this.#origin.newer;
    if (oldest === this.#origin) return false;
    this.#remove(oldest);
    return true;
  }

  /**
   * Looks at some entries, goes on where the last sweep stopped, and removes those that expired.
   * With two looks at every write, the map stays within a small multiple of the entries that live.
   */
  sweep(now: number, looks: number): void {
    for (let look = 0; look < looks; look++) {
      const link = this.#hand;
      this.#hand = link.newer;
      if (link.expiresAt <= now) this.#remove(link);
    }
  }

  #remove(link: Link): void {
    if (this.#hand === link) this.#hand = link.newer;
    link.older.newer = link.newer;
    link.newer.older = link.older;
    this.#links.delete(link.key);
    this.#bytes -= link.bytes;
  }
}

function createOrigin(): Link {
  const origin = { key: "", value: "", expiresAt: Infinity, bytes: 0 } as Link;
  origin.older = origin;
  origin.newer = origin;
  return origin;
}
