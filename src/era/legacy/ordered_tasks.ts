/** Runs tasks of one name after each other, and those of different names at the same time. */
export class OrderedTasks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Whether a task of this name waits or runs. */
  isBusy(name: string): boolean {
    return this.#tails.has(name);
  }

  /**
   * Runs a task once those before it have settled, whether they held or not.
   *
   * @param task Returns a promise, and never throws.
   * @returns What the task answers.
   */
  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name);
    const result = before === undefined ? task() : before.then(task);
    const tail: Promise<void> = result.then(() => {}, () => {}).then(() => {
      if (this.#tails.get(name) === tail) this.#tails.delete(name);
    });
    this.#tails.set(name, tail);
    return result;
  }
}
