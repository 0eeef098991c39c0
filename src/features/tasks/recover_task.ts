import type { HostContext } from "../../ports/host_context.ts";
import { handOver } from "./hand_over.ts";
import type { TaskContext } from "./task_context.ts";
import { hasLapsed, holdRecord, interruptRecord, mayBegin } from "./task_lease.ts";
import { isOver, type TaskRecord } from "./task_record.ts";

/**
 * Leads a task on whose process is gone: work that had not begun, or that may begin again, is handed
 * over once more; any other has failed (J-20).
 *
 * @returns How the task stands then.
 */
export async function recoverTask(
  context: TaskContext,
  record: TaskRecord,
  host: HostContext,
): Promise<TaskRecord> {
  const { store, signals, settings, now } = context;
  if (!hasLapsed(record, now())) return record;
  const { taskId } = record;
  const holder = crypto.randomUUID();
  const next = await store.change(taskId, host, (record) => {
    if (!hasLapsed(record, now())) return undefined;
    if (!mayBegin(record)) return interruptRecord(record);
    return holdRecord(record, "handing", { holder, heldUntil: now() + settings.leaseMs });
  });
  if (next === undefined) return await store.read(taskId, host) ?? record; // somebody was faster
  await signals.tell(taskId); // should it be late rather than gone
  return isOver(next) ? next : await handOver(context, next, host);
}
