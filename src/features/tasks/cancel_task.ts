import type { Method } from "../call.ts";
import { complete } from "../outcome.ts";
import { findTask } from "./find_task.ts";
import type { TaskContext } from "./task_context.ts";
import { endRecord } from "./task_record.ts";

/**
 * Makes `tasks/cancel`: ends a task that has not ended, and tells the work through its `signal`
 * (J-32). The client is told the same whatever became of it.
 *
 * @see {@link https://modelcontextprotocol.io/seps/2663-tasks-extension}
 */
export function createCancelTask(context: TaskContext): Method {
  const { store, signals } = context;
  return async (call) => {
    const found = await findTask(context, call);
    if (found.type === "error") return found;
    const { taskId } = found.record;
    const statusMessage = "Cancelled at the client's request.";
    const end = { status: "cancelled", statusMessage } as const;
    const changed = await store.change(taskId, call.host, (record) => endRecord(record, end));
    if (changed !== undefined) await signals.tell(taskId);
    return complete({ members: "" });
  };
}
