import { createCancelTask } from "../../features/tasks/cancel_task.ts";
import { createGetTask } from "../../features/tasks/get_task.ts";
import type { TaskContext } from "../../features/tasks/task_context.ts";
import { TASK_EXTENSION } from "../../features/tasks/task_extension.ts";
import { createUpdateTask } from "../../features/tasks/update_task.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { CatalogueMethods } from "../catalogue_methods.ts";

/**
 * Makes the methods of the tasks extension, and what the server declares of it (H-52); nothing of
 * either where the server runs no tasks.
 *
 * @see {@link https://modelcontextprotocol.io/seps/2663-tasks-extension}
 */
export function createTaskMethods(
  context: TaskContext | undefined,
): { readonly rows: CatalogueMethods["rows"]; readonly capabilities: JsonObject } {
  if (context === undefined) return { rows: [], capabilities: {} };
  return {
    rows: [
      ["tasks/get", { run: createGetTask(context) }],
      ["tasks/update", { run: createUpdateTask(context) }],
      ["tasks/cancel", { run: createCancelTask(context) }],
    ],
    capabilities: TASK_EXTENSION,
  };
}
