import type { HostContext } from "../../ports/host_context.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";

/** What the unfinished tasks of callers are counted with. */
export interface TaskSlotsOptions {
  readonly store: KeyValueStore;
  /** How many a caller may have. */
  readonly maxPerCaller: number;
  /** Whether a task is still unfinished, for those whose end could not be noted. */
  readonly isOpen: (taskId: string, host: HostContext) => Promise<boolean>;
}

/**
 * The unfinished tasks of each caller: so many slots, each a key of its own that holds a task's id, so
 * that nobody waits for anybody and what is never given back expires with its task.
 */
export class TaskSlots {
  readonly #options: TaskSlotsOptions;

  /** @param options What is counted with. */
  constructor(options: TaskSlotsOptions) {
    this.#options = options;
  }

  /**
   * Takes a slot for a new task.
   *
   * @param caller Whose task it is.
   * @param task Its id, how long it is kept, in milliseconds, and what the platform passed.
   * @returns The slot, or `undefined` where the caller has none left.
   */
  async take(
    caller: string,
    { taskId, ttlMs, host }: {
      readonly taskId: string;
      readonly ttlMs: number;
      readonly host: HostContext;
    },
  ): Promise<string | undefined> {
    const { store, maxPerCaller, isOpen } = this.#options;
    const first = Math.floor(Math.random() * maxPerCaller);
    const slots = Array.from(
      { length: maxPerCaller },
      (_, i) => `task-slot:${(first + i) % maxPerCaller}:${caller}`,
    );
    for (const slot of slots) {
      if (await store.set(slot, taskId, { ttlMs, ifAbsent: true })) return slot;
    }
    for (const slot of slots) {
      const holder = await store.get(slot);
      if (holder === undefined || await isOpen(holder, host)) continue;
      if (await store.compareAndSet(slot, holder, taskId, { ttlMs })) return slot;
    }
    return undefined;
  }

  /** Gives a slot back, unless another task has it already. */
  async release(slot: string, taskId: string): Promise<void> {
    const { store } = this.#options;
    if (await store.get(slot) === taskId) await store.delete(slot);
  }
}
