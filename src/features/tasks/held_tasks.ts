/** A task that this process holds. */
export interface HeldTask {
  /** Says that this process lives; resolves with whether it still holds the task. */
  readonly renew: () => Promise<boolean>;
  /** Told when it does not. */
  readonly onLost: () => void;
}

/** The tasks that a process holds, and the one timer by which it says so. */
export class HeldTasks {
  readonly #everyMs: number;
  readonly #onFault: (cause: unknown) => void;
  readonly #held: Set<HeldTask> = new Set();
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param everyMs How often it says so, in milliseconds.
   * @param onFault Told where that fails; it is tried again.
   */
  constructor(everyMs: number, onFault: (cause: unknown) => void) {
    this.#everyMs = everyMs;
    this.#onFault = onFault;
  }

  /** Begins to hold a task. @returns How to stop, which may happen twice. */
  add(task: HeldTask): () => void {
    this.#held.add(task);
    this.#timer ??= setInterval(() => this.#renewAll(), this.#everyMs);
    return () => this.#drop(task);
  }

  /** Holds nothing any more. */
  clear(): void {
    this.#held.clear();
    this.#stop();
  }

  #drop(task: HeldTask): void {
    this.#held.delete(task);
    if (this.#held.size === 0) this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #renewAll(): void {
    for (const task of this.#held) {
      task.renew().then((isHeld) => {
        if (isHeld || !this.#held.has(task)) return;
        this.#drop(task);
        task.onLost();
      }, this.#onFault);
    }
  }
}
