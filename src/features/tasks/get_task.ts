import type { Method } from "../call.ts";
import { complete } from "../outcome.ts";
import { describeTask } from "./describe_task.ts";
import { findTask } from "./find_task.ts";
import { recoverTask } from "./recover_task.ts";
import type { TaskContext } from "./task_context.ts";

/**
 * Makes `tasks/get`: the task as it stands, with its result, its error or its questions (J-31).
 *
 * @see {@link https://modelcontextprotocol.io/seps/2663-tasks-extension}
 */
export function createGetTask(context: TaskContext): Method {
  return async (call) => {
    const found = await findTask(context, call);
    if (found.type === "error") return found;
    return complete(describeTask(await recoverTask(context, found.record, call.host)));
  };
}
