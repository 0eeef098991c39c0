import { createKeyRing, createProcessSecret, type SecretSource } from "../../ports/key_ring.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Broker } from "../../stores/broker.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";
import type { Call } from "../call.ts";
import type { Outcome } from "../outcome.ts";
import { HeldTasks } from "./held_tasks.ts";
import type { TaskExecutor } from "./task_executor.ts";
import {
  readTaskOptions,
  type RestoreCaller,
  type TaskOptions,
  type TaskSettings,
} from "./task_options.ts";
import { isOver, type TaskRecord } from "./task_record.ts";
import { TaskSlots } from "./task_slots.ts";
import { TaskSignals } from "./task_signals.ts";
import { TaskStore } from "./task_store.ts";

/** What the tasks of a server are made of. */
export interface TaskContextOptions {
  /** Where work goes. */
  readonly executor: TaskExecutor;
  /** The option `tasks` of the server. */
  readonly tasks?: TaskOptions | undefined;
  /** Finds callers again. */
  readonly restoreCaller?: RestoreCaller | undefined;
  /** Where records are kept. */
  readonly store: KeyValueStore;
  /** Carries cancellations to other processes. */
  readonly broker?: Broker | undefined;
  /** Seals records; absent where the store is this process's own. */
  readonly secret?: SecretSource | undefined;
  /** Who the server is, since each has keys of its own. */
  readonly name: string;
  readonly publicUrl?: string | undefined;
  readonly now: () => number;
  readonly log: Logger;
  /** How many rounds of questions one task may ask. */
  readonly maxRounds: number;
  /** Runs the call of a task; never rejects. */
  readonly perform: (call: Call) => Awaitable<Outcome>;
  /** Told of every change of a task's status, once it is written. Default: nobody is. */
  readonly announce?: ((record: TaskRecord) => Awaitable<unknown>) | undefined;
}

/** The tasks of a server, for all that is done with them. */
export interface TaskContext {
  readonly executor: TaskExecutor;
  readonly settings: TaskSettings;
  readonly restoreCaller: RestoreCaller | undefined;
  readonly store: TaskStore;
  readonly slots: TaskSlots;
  readonly signals: TaskSignals;
  readonly held: HeldTasks;
  /** What this process runs at the moment. */
  readonly running: Set<Promise<void>>;
  readonly now: () => number;
  readonly log: Logger;
  readonly maxRounds: number;
  readonly perform: (call: Call) => Awaitable<Outcome>;
}

/**
 * Brings together what tasks need. Nothing is read, drawn or timed before the first task.
 *
 * @throws {ConfigurationError} when the options are wrong.
 */
export function createTaskContext(options: TaskContextOptions): TaskContext {
  const { executor, restoreCaller, now, log, perform, name: server, publicUrl, announce } = options;
  const settings = readTaskOptions(options.tasks);
  const keys = { purpose: "task", server, publicUrl };
  const slots = new TaskSlots({
    store: options.store,
    maxPerCaller: settings.maxPerCaller,
    isOpen: async (taskId, host) => {
      const record = await store.read(taskId, host);
      return record !== undefined && !isOver(record);
    },
  });
  const store: TaskStore = new TaskStore({
    store: options.store,
    sealerFor: createKeyRing(options.secret ?? createProcessSecret(), keys),
    now,
    onStatus: async (record) => {
      try {
        if (isOver(record) && record.slot !== undefined) {
          await slots.release(record.slot, record.taskId);
        }
        await announce?.(record);
      } catch (cause) {
        const message = "What follows from the change of a task failed";
        log({ level: "warning", event: "task.state", message, cause });
      }
    },
  });
  const onFault = (cause: unknown): void => {
    const message = "Saying that a task is being run failed";
    log({ level: "warning", event: "task.state", message, cause });
  };
  return {
    executor,
    settings,
    restoreCaller,
    store,
    slots,
    signals: new TaskSignals(options.broker, log),
    held: new HeldTasks(Math.max(1, Math.floor(settings.leaseMs / 3)), onFault),
    running: new Set(),
    now,
    log,
    maxRounds: options.maxRounds,
    perform,
  };
}
