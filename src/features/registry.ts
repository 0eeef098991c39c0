import { ConfigurationError } from "../ports/configuration_error.ts";

/** Something that is served, until it is removed. */
export interface Registration {
  /** Stops serving it, for calls that come from now on. */
  remove(): void;
}

/** What a server offers of one kind, by key, in the order of registration. */
export class Registry<Item> {
  readonly #kind: string;
  readonly #key: string;
  readonly #items: Map<string, Item> = new Map();
  readonly #listeners: Set<() => void> = new Set();
  #version = 0;

  /**
   * Makes an empty registry.
   *
   * @param kind What it holds, for errors: `tool`.
   * @param key What tells the items apart, for errors: `name`.
   */
  constructor(kind: string, key: string) {
    this.#kind = kind;
    this.#key = key;
  }

  /** Grows with every change; what was cached under an older version is stale. */
  get version(): number {
    return this.#version;
  }

  /** How many items there are. */
  get size(): number {
    return this.#items.size;
  }

  /**
   * Adds an item, which may happen while requests are served.
   *
   * @throws {ConfigurationError} when the key is taken.
   */
  add(key: string, item: Item): Registration {
    if (this.#items.has(key)) {
      throw new ConfigurationError(
        `Cannot register ${this.#kind} ${JSON.stringify(key)}: the ${this.#key} is taken`,
      );
    }
    this.#items.set(key, item);
    this.#change();
    return {
      remove: () => {
        if (this.#items.get(key) === item) this.remove(key); // else it may be another's by now
      },
    };
  }

  /** Removes what has the key, if anything. */
  remove(key: string): void {
    if (this.#items.delete(key)) this.#change();
  }

  /** Finds an item; keys are case-sensitive. */
  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  /** All items, in order. */
  all(): readonly Item[] {
    return [...this.#items.values()];
  }

  /** The items in order, without a copy: for a search that ends at the first match. */
  values(): Iterable<Item> {
    return this.#items.values();
  }

  /**
   * Tells of every change from now on, at once and in order: the place to publish that a list
   * changed.
   *
   * @returns How to stop listening.
   */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #change(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}
