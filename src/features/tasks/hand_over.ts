import type { HostContext } from "../../ports/host_context.ts";
import { withDeadline } from "../../ports/with_deadline.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { runTask } from "./run_task.ts";
import type { TaskContext } from "./task_context.ts";
import { queueRecord } from "./task_lease.ts";
import { endRecord, type TaskRecord } from "./task_record.ts";

/** How much of the executor's reason a client is told, in UTF-16 units. */
const MAX_REASON = 200;

/**
 * Hands a task to the executor. The record says `handing` and is this process's, so that whoever asks
 * for the task hands it over again should this process end in the middle.
 *
 * @returns How the task stands then: failed, with the reason, where the executor refused it (J-12).
 */
export async function handOver(
  context: TaskContext,
  record: TaskRecord,
  host: HostContext,
): Promise<TaskRecord> {
  const { store, executor, held, settings, now, log } = context;
  const { taskId, holder } = record;
  const change = (edit: (record: TaskRecord) => TaskRecord) =>
    store.change(
      taskId,
      host,
      (record) => record.stage === "handing" && record.holder === holder ? edit(record) : undefined,
    );
  const release = held.add({
    renew: async () => {
      const heldUntil = now() + settings.leaseMs;
      return await change((record) => ({ ...record, heldUntil })) !== undefined;
    },
    onLost: () => {},
  });
  try {
    const taking = executor.enqueue(taskId, () => {
      release();
      return runTask(context, taskId, host);
    });
    const taken = Promise.resolve(taking).then(() => true);
    if (!await withDeadline(taken, settings.leaseMs, () => false)) {
      throw new Error("The queue does not answer");
    }
  } catch (cause) {
    release();
    const message = "The executor refused a task";
    log({ level: "error", event: "task.refused", message, cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    const statusMessage = `The task could not be queued: ${reason.slice(0, MAX_REASON)}`;
    const error = { code: ErrorCode.internalError, message: "The task could not be queued" };
    return await change((record) =>
      endRecord(record, { status: "failed", statusMessage, error })
    ) ??
      record;
  }
  if (executor.isVolatile === true) return record; // held until it begins
  release();
  try {
    const { leaseMs } = settings;
    return await change((record) => queueRecord(record, now(), leaseMs)) ?? record;
  } catch (cause) {
    // Delivered all the same; handed over a second time, it still runs once.
    const message = "Noting that a task is queued failed";
    log({ level: "warning", event: "task.state", message, cause });
    return record;
  }
}
