import { principalKey } from "../../ports/principal_key.ts";
import type { Call } from "../call.ts";
import { invalidParams, type Outcome } from "../outcome.ts";
import { quoteName } from "../quote_name.ts";
import type { TaskContext } from "./task_context.ts";
import { refuseUndeclared } from "./task_extension.ts";
import type { TaskRecord } from "./task_record.ts";

/** A task that the caller may see, or what the caller is told instead. */
export type FoundTask =
  | { readonly type: "found"; readonly record: TaskRecord }
  | Extract<Outcome, { readonly type: "error" }>;

/**
 * Finds the task that a call is about. One that does not exist, has expired, was tampered with or is
 * somebody else's is refused in the same words (J-30).
 */
export async function findTask(context: TaskContext, call: Call): Promise<FoundTask> {
  const undeclared = refuseUndeclared(call.clientCapabilities);
  if (undeclared !== undefined) return undeclared;
  const { taskId } = call.params;
  if (typeof taskId !== "string") return invalidParams("Invalid params: taskId must be a string");
  const record = await findOwnTask(context, call, taskId);
  if (record !== undefined) return { type: "found", record };
  return invalidParams(`Unknown task: ${quoteName(taskId)}`);
}

/** The task of this id, where it is the caller's. */
export async function findOwnTask(
  { store }: TaskContext,
  { caller: { user }, host }: Call,
  taskId: string,
): Promise<TaskRecord | undefined> {
  const record = await store.read(taskId, host);
  return record?.owner === principalKey(user) && user.active !== false ? record : undefined;
}
