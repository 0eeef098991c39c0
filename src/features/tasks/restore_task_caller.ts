import { anonymous, type Caller } from "../../ports/principal.ts";
import type { TaskContext } from "./task_context.ts";
import type { TaskRecord } from "./task_record.ts";

/**
 * Finds the caller of a task as of now, with the scopes that are left: never more than were recorded,
 * and never as anybody else (B12).
 *
 * @returns `undefined` for a caller who is not to be had any more, or cannot be looked up.
 */
export async function restoreTaskCaller(
  { restoreCaller, log }: Pick<TaskContext, "log" | "restoreCaller">,
  { userId, token }: TaskRecord,
): Promise<Caller | undefined> {
  if (userId === undefined) return { user: anonymous };
  try {
    const restored = await restoreCaller?.(userId);
    if (restored === undefined || restored.user.active === false) return undefined;
    const { user, token: current } = restored;
    if (user.authenticated !== true || user.id !== userId) return undefined;
    if (token === undefined) return { user };
    const scopes = token.scopes.filter((scope) => current?.scopes.includes(scope) ?? true);
    return { user, token: { ...current, ...token, scopes } };
  } catch (cause) {
    const message = "Restoring the caller of a task failed";
    log({ level: "error", event: "task.caller", message, cause });
    return undefined;
  }
}
