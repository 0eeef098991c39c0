import type { ClusterClient } from "./cluster_client.ts";

/** How a task stands, as far as it is looked at. */
export interface TaskAnswer {
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

/** A task whose handle a client has. */
export interface KnownTask {
  /** What its work answers. */
  readonly key: string;
  readonly isIdempotent: boolean;
  readonly taskId: string;
  /** When the client had the handle, in milliseconds of `performance.now()`. */
  readonly createdAt: number;
  /** How it ended; absent before that is known. */
  end?: TaskAnswer;
  /** When that was known. */
  endedAt?: number;
}

/** How long work takes, in milliseconds. */
const WORK_MS = { min: 100, max: 3000 } as const;

/** How long a client waits before it asks for all of its unfinished tasks again, in milliseconds. */
const POLL_MS = 500;
const RETRY_MS = 20;

/** Creates tasks, one that may be repeated and one that may not in turn, and asks for them. */
export class TaskCreator {
  /** What was acknowledged. */
  readonly tasks: KnownTask[] = [];
  readonly client: ClusterClient;
  readonly #name: string;

  constructor(client: ClusterClient, name: string) {
    this.client = client;
    this.#name = name;
  }

  /** The tasks that have not ended as far as the client knows. */
  get unfinished(): readonly KnownTask[] {
    return this.tasks.filter(({ end }) => end === undefined);
  }

  /**
   * Creates one. Where an answer is lost there is a task that nobody knows, and so each attempt has a
   * key of its own.
   */
  async create(): Promise<void> {
    const n = this.tasks.length;
    const isIdempotent = n % 2 === 0;
    const name = isIdempotent ? "work_again" : "work_once";
    const ms = Math.round(WORK_MS.min + Math.random() * (WORK_MS.max - WORK_MS.min));
    for (let attempt = 0;; attempt++) {
      const key = `${this.#name}:${n}:${attempt}`;
      const handle = await this.client.callOnce(name, { key, ms });
      if (handle !== undefined) {
        const { taskId } = handle;
        if (typeof taskId !== "string") throw new Error(`No task was created for ${key}`);
        this.tasks.push({ key, isIdempotent, taskId, createdAt: performance.now() });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Asks for each unfinished task until told to stop. Rejects when one is refused. */
  async follow(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await Promise.all(this.unfinished.map((task) => this.#ask(task)));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #ask(task: KnownTask): Promise<void> {
    const answer = await askForTask(this.client, task);
    if (answer.status === "working") return;
    task.end = answer;
    task.endedAt = performance.now();
  }
}

/** Asks how a task stands. Rejects for one that is not known. */
export async function askForTask(client: ClusterClient, task: KnownTask): Promise<TaskAnswer> {
  const { result, error } = await client.request("tasks/get", { taskId: task.taskId });
  if (error !== undefined) throw new Error(`The task of ${task.key} is lost: ${error.message}`);
  return result;
}
