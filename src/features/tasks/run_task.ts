import type { HostContext } from "../../ports/host_context.ts";
import type { ResultText } from "../../present/result_text.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { StoreFullError } from "../../stores/store_full_error.ts";
import type { InputRequiredOutcome } from "../elicitation/ask_back.ts";
import type { Outcome } from "../outcome.ts";
import { restoreTaskCaller } from "./restore_task_caller.ts";
import { TaskCall } from "./task_call.ts";
import type { TaskContext } from "./task_context.ts";
import { hasLapsed, holdRecord, interruptRecord, mayBegin } from "./task_lease.ts";
import { TaskProgress } from "./task_progress.ts";
import { askQuestions } from "./task_questions.ts";
import { endRecord, type TaskEnd, type TaskRecord } from "./task_record.ts";

/**
 * Runs a task, unless it does not exist, somebody runs it, or it is over (J-20): as its caller, under
 * the same permissions as a direct call, for as long as it takes.
 *
 * @param context The tasks of the server.
 * @param taskId What was handed to the executor.
 * @param host The pool's `host`.
 * @throws {Error} what a job queue should know: that the work failed for a reason that is a bug, or
 * that its end could not be written.
 */
export async function runTask(
  context: TaskContext,
  taskId: string,
  host: HostContext,
): Promise<void> {
  const work = claimAndRun(context, taskId, host);
  context.running.add(work);
  try {
    await work;
  } finally {
    context.running.delete(work);
  }
}

async function claimAndRun(
  context: TaskContext,
  taskId: string,
  host: HostContext,
): Promise<void> {
  const holder = crypto.randomUUID();
  const record = await claimTask(context, { taskId, holder, host }).catch((cause) => {
    const message = "Claiming a task failed";
    context.log({ level: "warning", event: "task.state", message, cause });
    throw cause;
  });
  if (record === undefined) return;
  const work = new Work(context, record, host);
  try {
    await work.end(await work.run());
  } finally {
    await work.stop();
  }
}

async function claimTask(
  { store, settings, now }: TaskContext,
  { taskId, holder, host }: { taskId: string; holder: string; host: HostContext },
): Promise<TaskRecord | undefined> {
  const record = await store.change(taskId, host, (record) => {
    const isDelivered = record.stage === "handing" || record.stage === "queued";
    if (!isDelivered && !hasLapsed(record, now())) return undefined;
    if (!mayBegin(record)) return interruptRecord(record);
    return holdRecord(record, "running", { holder, heldUntil: now() + settings.leaseMs });
  });
  return record?.holder === holder ? record : undefined;
}

/** One run of a task in this process. */
class Work {
  readonly #context: TaskContext;
  readonly #record: TaskRecord;
  readonly #host: HostContext;
  readonly #controller: AbortController = new AbortController();
  readonly #progress: TaskProgress;
  readonly #release: () => void;
  readonly #unwatch: () => Promise<void>;
  /** What was begun beside the work. */
  readonly #beside: Set<Promise<unknown>> = new Set();

  constructor(context: TaskContext, record: TaskRecord, host: HostContext) {
    this.#context = context;
    this.#record = record;
    this.#host = host;
    const { now, settings } = context;
    this.#progress = new TaskProgress((statusMessage) =>
      this.#quietly(async () => {
        await this.#change((record) => ({ ...record, statusMessage }));
      })
    );
    this.#release = context.held.add({
      renew: () => {
        const heldUntil = now() + settings.leaseMs;
        const renewed = this.#change((record) => ({ ...record, heldUntil }));
        this.#follow(renewed.catch(() => {})); // whoever renews is told
        return renewed;
      },
      onLost: () => this.#abort(),
    });
    this.#unwatch = context.signals.watch(
      record.taskId,
      () =>
        this.#quietly(async () => {
          if (!await this.#isMine()) this.#abort();
        }),
    );
  }

  async run(): Promise<Outcome> {
    const caller = await restoreTaskCaller(this.#context, this.#record);
    if (caller === undefined) return NOT_RESTORED;
    return await this.#context.perform(
      new TaskCall(this.#record, {
        caller,
        host: this.#host,
        progress: this.#progress.report,
        signal: this.#controller.signal,
        log: this.#context.log,
        maxRounds: this.#context.maxRounds,
      }),
    );
  }

  /** Writes how the work ended; whoever ended it before has the last word. */
  async end(outcome: Outcome): Promise<void> {
    this.#progress.end();
    if (outcome.type === "input_required") {
      await this.#persist((record) => askQuestions(record, outcome));
      return;
    }
    const end = endOf(outcome);
    try {
      await this.#persist((record) => endRecord(record, end));
    } catch (cause) {
      if (!(cause instanceof StoreFullError)) throw cause;
      this.#report("The result of a task found no room", cause);
      await this.#persist((record) => endRecord(record, NO_ROOM));
    }
    if (outcome.type === "error" && outcome.status === 500) {
      throw new Error(`The work of a task failed: ${JSON.stringify(outcome.error.data ?? {})}`);
    }
  }

  async stop(): Promise<void> {
    this.#progress.end();
    this.#release();
    await this.#unwatch();
    await Promise.all(this.#beside);
  }

  /** A store that is away for a moment costs no result. */
  async #persist(edit: (record: TaskRecord) => TaskRecord): Promise<void> {
    for (const pauseMs of RETRY_AFTER_MS) {
      try {
        await this.#change(edit);
        return;
      } catch (cause) {
        if (cause instanceof StoreFullError) throw cause;
        this.#report("Writing the end of a task failed", cause);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    await this.#change(edit);
  }

  /** @returns Whether the task was this run's to change. */
  async #change(edit: (record: TaskRecord) => TaskRecord): Promise<boolean> {
    const { taskId, holder } = this.#record;
    const changed = await this.#context.store.change(
      taskId,
      this.#host,
      (record) => record.holder === holder ? edit(record) : undefined,
    );
    return changed !== undefined;
  }

  async #isMine(): Promise<boolean> {
    const { taskId, holder } = this.#record;
    return (await this.#context.store.read(taskId, this.#host))?.holder === holder;
  }

  #abort(): void {
    this.#controller.abort(new DOMException("The task has ended", "AbortError"));
  }

  /** Does something beside the work, which neither waits for it nor fails with it. */
  #quietly(work: () => Promise<void>): void {
    this.#follow(work().catch((cause) => this.#report("Following a task failed", cause)));
  }

  /** The run is not over before what it began is. */
  #follow(done: Promise<unknown>): void {
    this.#beside.add(done);
    done.then(() => this.#beside.delete(done));
  }

  #report(message: string, cause: unknown): void {
    this.#context.log({ level: "warning", event: "task.state", message, cause });
  }
}

function endOf(outcome: Exclude<Outcome, InputRequiredOutcome>): TaskEnd {
  if (outcome.type !== "error") return { status: "completed", result: keep(outcome.result) };
  const { error } = outcome;
  return { status: "failed", error, statusMessage: error.message };
}

/** What of a result is kept: what an encoder writes. */
function keep({ members, structured, wrapsForLegacy, meta }: ResultText): ResultText {
  return {
    members,
    ...(structured === undefined ? {} : { structured }),
    ...(wrapsForLegacy === undefined ? {} : { wrapsForLegacy }),
    ...(meta === undefined ? {} : { meta }),
  };
}

const RETRY_AFTER_MS: readonly number[] = [100, 500, 2000, 5000];

const NOT_RESTORED: Outcome = {
  type: "error",
  error: { code: ErrorCode.insufficientPermission, message: "Insufficient permission" },
};

const NO_ROOM: TaskEnd = {
  status: "failed",
  statusMessage: "The result could not be kept",
  error: { code: ErrorCode.internalError, message: "The result could not be kept" },
};
