import type { Log } from "../../ports/log_event.ts";
import type { Broker, Subscription } from "../../stores/broker.ts";

/**
 * Tells whoever runs a task that it was cancelled, in this process at once and in another through the
 * broker. Without a broker, or where it fails, the process that runs it finds out when it next says
 * that it lives.
 */
export class TaskSignals {
  readonly #broker: Broker | undefined;
  readonly #log: Log;
  readonly #running: Map<string, () => void> = new Map();

  /** @param broker Carries signals between processes. */
  constructor(broker: Broker | undefined, log: Log) {
    this.#broker = broker;
    this.#log = log;
  }

  /**
   * Waits for the end of a task that is run here.
   *
   * @param onEnd Told once it may have ended, and that the record knows; also when the wait begins
   * late.
   * @returns How to stop waiting.
   */
  watch(taskId: string, onEnd: () => void): () => Promise<void> {
    this.#running.set(taskId, onEnd);
    const listening = this.#listen(taskId, onEnd);
    return async () => {
      if (this.#running.get(taskId) === onEnd) this.#running.delete(taskId);
      try {
        await (await listening)?.close();
      } catch (cause) {
        this.#report("Leaving the other processes failed", cause);
      }
    };
  }

  /** Says that a task has ended. */
  async tell(taskId: string): Promise<void> {
    const here = this.#running.get(taskId);
    if (here !== undefined) return here();
    try {
      await this.#broker?.publish(topicOf(taskId), "");
    } catch (cause) {
      this.#report("Telling the other processes of a task failed", cause);
    }
  }

  async #listen(taskId: string, onEnd: () => void): Promise<Subscription | undefined> {
    if (this.#broker === undefined) return undefined;
    try {
      const subscription = await this.#broker.subscribe([topicOf(taskId)]);
      this.#read(subscription, onEnd);
      onEnd(); // what was said before it was live
      return subscription;
    } catch (cause) {
      this.#report("Listening to the other processes failed", cause);
      return undefined;
    }
  }

  async #read(subscription: Subscription, onEnd: () => void): Promise<void> {
    try {
      for await (const _ of subscription) onEnd();
    } catch (cause) {
      this.#report("Listening to the other processes failed", cause);
    }
  }

  #report(message: string, cause: unknown): void {
    this.#log({ level: "warning", event: "task.signal", message, cause });
  }
}

function topicOf(taskId: string): string {
  return `task-end:${taskId}`;
}
