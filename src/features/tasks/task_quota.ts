import { isJsonObject } from "../../protocol/json.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";

/** An unfinished task of a caller. */
interface Counted {
  readonly taskId: string;
  readonly expiresAt: number;
}

/** What unfinished tasks are counted with. */
export interface TaskQuotaOptions {
  readonly store: KeyValueStore;
  readonly maxPerCaller: number;
  readonly now: () => number;
  /** Whether a task is still unfinished, for those whose end could not be noted. */
  readonly isOpen: (taskId: string) => Promise<boolean>;
}

/** Counts the unfinished tasks of each caller by name, so that a lost count mends itself. */
export class TaskQuota {
  readonly #options: TaskQuotaOptions;

  /** @param options What is counted with. */
  constructor(options: TaskQuotaOptions) {
    this.#options = options;
  }

  /**
   * Counts a new task.
   *
   * @returns Whether there may be one more.
   */
  async take(caller: string, task: Counted): Promise<boolean> {
    const { maxPerCaller } = this.#options;
    let isPruned = false;
    for (;;) {
      const { text, tasks } = await this.#read(caller);
      if (tasks.length < maxPerCaller) {
        if (await this.#write(caller, text, [...tasks, task])) return true;
      } else if (isPruned) {
        return false;
      } else {
        isPruned = true;
        const open = await Promise.all(tasks.map(({ taskId }) => this.#options.isOpen(taskId)));
        await this.#write(caller, text, tasks.filter((_, i) => open[i]));
      }
    }
  }

  /** Counts a task no longer. */
  async release(caller: string, taskId: string): Promise<void> {
    for (;;) {
      const { text, tasks } = await this.#read(caller);
      const left = tasks.filter((one) => one.taskId !== taskId);
      if (left.length === tasks.length || await this.#write(caller, text, left)) return;
    }
  }

  async #read(caller: string): Promise<{ readonly text?: string; readonly tasks: Counted[] }> {
    const { store, now } = this.#options;
    const text = await store.get(keyOf(caller));
    if (text === undefined) return { tasks: [] };
    const list: unknown = JSON.parse(text);
    const tasks = Array.isArray(list) ? list.filter(isCounted) : [];
    return { text, tasks: tasks.filter(({ expiresAt }) => expiresAt > now()) };
  }

  /** @returns Whether nobody else was faster. */
  async #write(
    caller: string,
    before: string | undefined,
    tasks: readonly Counted[],
  ): Promise<boolean> {
    const { store, now } = this.#options;
    const key = keyOf(caller);
    const last = Math.max(now() + 1, ...tasks.map(({ expiresAt }) => expiresAt));
    const options = { ttlMs: last - now() };
    const text = JSON.stringify(tasks);
    if (before !== undefined) return await store.compareAndSet(key, before, text, options);
    return await store.set(key, text, { ...options, ifAbsent: true });
  }
}

function keyOf(caller: string): string {
  return `task-count:${caller}`;
}

function isCounted(value: unknown): value is Counted {
  return isJsonObject(value) && typeof value.taskId === "string" &&
    typeof value.expiresAt === "number";
}
