import { encodeBase64Url } from "../../ports/base64url.ts";
import { digestText } from "../../ports/digest_text.ts";
import { equalBytes } from "../../ports/equal_bytes.ts";
import type { HostContext } from "../../ports/host_context.ts";
import type { Sealer } from "../../ports/sealer.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";
import { isOver, lifetimeOf, readRecord, type TaskRecord } from "./task_record.ts";

/** What the records of tasks are kept with. */
export interface TaskStoreOptions {
  /** Where they are kept. */
  readonly store: KeyValueStore;
  /** Seals them, so that nobody who can write to the store makes up a task. */
  readonly sealerFor: (host: HostContext) => Sealer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of every change of a task's status, once it is written (J-35). */
  readonly onStatus: (record: TaskRecord, host: HostContext) => Promise<void>;
}

/** Says what a record becomes; `undefined` leaves it as it is. */
export type TaskEdit = (record: TaskRecord) => TaskRecord | undefined;

/**
 * The records of tasks. A record changes by compare-and-set alone, and one that is over never does:
 * whichever of two ends comes first is the end (J-23).
 */
export class TaskStore {
  readonly #options: TaskStoreOptions;

  /** @param options What they are kept with. */
  constructor(options: TaskStoreOptions) {
    this.#options = options;
  }

  /** Draws an id of 256 random bits. */
  createId(): string {
    return encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  }

  /** Writes the record of a new task, for as long as it lives. */
  async create(record: TaskRecord, host: HostContext): Promise<void> {
    const text = await this.#seal(record, host);
    const options = { ttlMs: lifetimeOf(record), ifAbsent: true };
    await this.#options.store.set(keyOf(record.taskId), text, options);
  }

  /** Reads a record; `undefined` for one that does not exist, has expired, or was tampered with. */
  async read(taskId: string, host: HostContext): Promise<TaskRecord | undefined> {
    return (await this.#load(taskId, host))?.record;
  }

  /**
   * Changes a record that is not over.
   *
   * @param edit Asked again where somebody else was faster.
   * @returns The record as it is written, or `undefined` where nothing was changed.
   */
  async change(taskId: string, host: HostContext, edit: TaskEdit): Promise<TaskRecord | undefined> {
    for (;;) {
      const loaded = await this.#load(taskId, host);
      if (loaded === undefined || isOver(loaded.record)) return undefined;
      const { record, text } = loaded;
      const edited = edit(record);
      if (edited === undefined) return undefined;
      const next = { ...edited, updatedAt: Math.max(this.#options.now(), record.updatedAt) };
      const sealed = await this.#seal(next, host);
      if (!await this.#options.store.compareAndSet(keyOf(taskId), text, sealed)) continue;
      if (next.status !== record.status) await this.#options.onStatus(next, host);
      return next;
    }
  }

  async #load(
    taskId: string,
    host: HostContext,
  ): Promise<{ readonly record: TaskRecord; readonly text: string } | undefined> {
    if (!/^[A-Za-z0-9_-]{43}$/.test(taskId)) return undefined;
    const text = await this.#options.store.get(keyOf(taskId));
    if (text === undefined) return undefined;
    const dot = text.indexOf(".");
    const json = text.slice(dot + 1);
    const opened = await this.#options.sealerFor(host).open(text.slice(0, dot));
    if (opened === undefined) return undefined;
    if (!equalBytes(opened.payload, await digest(taskId, json))) return undefined;
    const record = readRecord(json);
    return record === undefined ? undefined : { record, text };
  }

  /** The seal is of a digest, since a record may be large; the id keeps it from another's place. */
  async #seal(record: TaskRecord, host: HostContext): Promise<string> {
    const json = JSON.stringify(record);
    const sealer = this.#options.sealerFor(host);
    return `${await sealer.seal(await digest(record.taskId, json))}.${json}`;
  }
}

function keyOf(taskId: string): string {
  return `task:${taskId}`;
}

function digest(taskId: string, json: string): Promise<Uint8Array<ArrayBuffer>> {
  return digestText(`${taskId}\n${json}`);
}
