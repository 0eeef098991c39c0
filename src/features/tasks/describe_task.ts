import { serialize } from "../../present/serialize.ts";
import type { ResultText } from "../../present/result_text.ts";
import type { TaskRecord } from "./task_record.ts";

/**
 * The task as a client sees it, and nothing else of its record (J-2, J-3): what `tasks/get` and
 * `notifications/tasks` carry. The result of the work rides inside, for the era to write.
 */
export function describeTask(record: TaskRecord): ResultText {
  const { status, error, result } = record;
  if (status === "completed") {
    return { members: membersOf(record), inner: result ?? { members: "" } };
  }
  const more = status === "failed"
    ? { error }
    : status === "input_required"
    ? { inputRequests: outstanding(record) }
    : {};
  return { members: membersOf(record, more) };
}

/** The handle of a task, which says how it stands and not what came of it. */
export function describeHandle(record: TaskRecord): ResultText {
  return { members: membersOf(record) };
}

function membersOf(record: TaskRecord, more: object = {}): string {
  const { taskId, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs } = record;
  return serialize({
    taskId,
    status,
    statusMessage,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
    ...more,
  }).slice(1, -1);
}

/** The questions that wait for an answer, by their keys. */
function outstanding({ questions = {} }: TaskRecord): Readonly<Record<string, unknown>> {
  const waiting = Object.entries(questions).filter(([, { answer }]) => answer === undefined);
  return Object.fromEntries(waiting.map(([key, { request }]) => [key, request]));
}
