import type { KeyValueStore } from "../../stores/key_value_store.ts";
import { OrderedTasks } from "./ordered_tasks.ts";

/** How much is kept of what a session was sent. */
export interface ReplayOptions {
  /** The most messages of one session. Default 1024. */
  readonly maxEvents?: number;
  /**
   * What the messages of one session may count for together, in UTF-16 units. Default 262 144. Sending
   * a message writes all of them, so that a store of any kind keeps them in order.
   */
  readonly maxLength?: number;
}

/** A message that a session was sent, under its number. */
export interface RecordedEvent {
  /** The number, one more than that of the message before. */
  readonly id: number;
  /** The message. */
  readonly json: string;
}

interface Kept {
  readonly first: number;
  readonly events: readonly string[];
}

/** How often another process may be faster before a message is not recorded. */
const MAX_TRIES = 64;

/**
 * Keeps the last messages of each session, so that a client whose stream broke gets what it missed
 * (H-33).
 *
 * The messages of a session are one value of the store, which is replaced only where nobody else was
 * faster: numbers have no gap and no number is given twice, in any process. The first one is taken
 * from the clock, so that numbers grow even when the store has forgotten the others.
 */
export class ReplayBuffer {
  readonly #store: KeyValueStore;
  readonly #maxEvents: number;
  readonly #maxLength: number;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #tasks: OrderedTasks = new OrderedTasks();

  /** @param options `ttlMs` is how long messages are kept after the last one. */
  constructor(
    store: KeyValueStore,
    options: ReplayOptions & { readonly ttlMs: number; readonly now: () => number },
  ) {
    this.#store = store;
    this.#maxEvents = options.maxEvents ?? 1024;
    this.#maxLength = options.maxLength ?? 262_144;
    this.#ttlMs = options.ttlMs;
    this.#now = options.now;
  }

  /**
   * Keeps a message, after those recorded before it in this process.
   *
   * @returns Its number, or `undefined` where it is too long to be kept.
   * @throws {StoreFullError} when the store has no room.
   */
  record(sid: string, json: string): Promise<number | undefined> {
    if (json.length > this.#maxLength) return Promise.resolve(undefined);
    return this.#tasks.run(sid, () => this.#append(sid, json));
  }

  async #append(sid: string, json: string): Promise<number | undefined> {
    const key = keyOf(sid);
    const ttlMs = this.#ttlMs;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const text = await this.#store.get(key);
      const { first, events } = text === undefined ? this.#empty() : read(text);
      const next = write(this.#trim({ first, events: [...events, json] }));
      const isWritten = text === undefined
        ? await this.#store.set(key, next, { ifAbsent: true, ttlMs })
        : await this.#store.compareAndSet(key, text, next, { ttlMs });
      if (isWritten) return first + events.length;
    }
    throw new Error("Cannot record a message: other processes were faster each time");
  }

  /** The messages of a session, the oldest first, and the number of the last one so far. */
  async read(
    sid: string,
  ): Promise<{ readonly last: number; readonly events: readonly RecordedEvent[] }> {
    const text = await this.#store.get(keyOf(sid));
    const { first, events } = text === undefined ? this.#empty() : read(text);
    return {
      last: first + events.length - 1,
      events: events.map((json, i) => ({ id: first + i, json })),
    };
  }

  /** Forgets a session. */
  async forget(sid: string): Promise<void> {
    await this.#store.delete(keyOf(sid));
  }

  #empty(): Kept {
    return { first: this.#now() * 1000, events: [] };
  }

  #trim({ first, events }: Kept): Kept {
    let length = events.reduce((sum, json) => sum + json.length, 0);
    let dropped = 0;
    while (events.length - dropped > this.#maxEvents || length > this.#maxLength) {
      length -= events[dropped++]!.length;
    }
    return { first: first + dropped, events: events.slice(dropped) };
  }
}

function keyOf(sid: string): string {
  return `replay:${sid}`;
}

/** JSON text holds no line end. */
function write({ first, events }: Kept): string {
  return [first, ...events].join("\n");
}

function read(text: string): Kept {
  const [first, ...events] = text.split("\n");
  return { first: Number(first), events };
}
