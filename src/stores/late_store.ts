import type { HostContext } from "../ports/host_context.ts";
import type { KeyValueStore } from "./key_value_store.ts";

/**
 * A store that is made from what the platform passes with the first request, and stays the same from
 * then on.
 */
export class LateStore implements KeyValueStore {
  readonly #create: (host: HostContext) => KeyValueStore;
  #made: KeyValueStore | undefined;

  /** @param create Makes the store; called again only where it threw. */
  constructor(create: (host: HostContext) => KeyValueStore) {
    this.#create = create;
  }

  /** Makes the store, unless it was made before. */
  readonly open = (host: HostContext): void => {
    this.#made ??= this.#create(host);
  };

  get #store(): KeyValueStore {
    if (this.#made !== undefined) return this.#made;
    throw new Error("Cannot reach the store: no request has come yet that says where it is");
  }

  /** As the store does. */
  async get(key: string): Promise<string | undefined> {
    return await this.#store.get(key);
  }

  /** As the store does. */
  async set(...args: Parameters<KeyValueStore["set"]>): Promise<boolean> {
    return await this.#store.set(...args);
  }

  /** As the store does. */
  async delete(key: string): Promise<boolean> {
    return await this.#store.delete(key);
  }

  /** As the store does. */
  async compareAndSet(...args: Parameters<KeyValueStore["compareAndSet"]>): Promise<boolean> {
    return await this.#store.compareAndSet(...args);
  }

  /** As the store does. */
  async increment(...args: Parameters<KeyValueStore["increment"]>): Promise<number> {
    return await this.#store.increment(...args);
  }
}
