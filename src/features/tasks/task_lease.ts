import { ErrorCode } from "../../protocol/error_code.ts";
import { endRecord, type TaskRecord } from "./task_record.ts";

/** Who holds a task, and until when. */
export interface Hold {
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly heldUntil: number;
}

/** The record of a task that a process holds, on its way to the executor or while it runs it. */
export function holdRecord(
  record: TaskRecord,
  stage: "handing" | "running",
  hold: Hold,
): TaskRecord {
  return { ...record, ...hold, stage, status: "working" };
}

/**
 * How many leases long a queue is trusted to deliver a task. One that is longer about it is handed the
 * task again at the next poll: it may have lost it, and a second delivery does nothing.
 */
const QUEUE_LEASES = 10;

/** The record of a task that the executor has taken, and that waits in a queue. */
export function queueRecord(record: TaskRecord, now: number, leaseMs: number): TaskRecord {
  return { ...record, stage: "queued", holder: undefined, heldUntil: now + QUEUE_LEASES * leaseMs };
}

/** Whether whoever holds a task counts as gone. */
export function hasLapsed({ heldUntil }: TaskRecord, now: number): boolean {
  return heldUntil !== undefined && heldUntil <= now;
}

/** Whether the work of a task may begin: it has not yet, or doing it twice does no more than once. */
export function mayBegin({ stage, isRepeatable }: TaskRecord): boolean {
  return stage !== "running" || isRepeatable === true;
}

/** The record of a task whose process is gone: what came of the work is not known. */
export function interruptRecord(record: TaskRecord): TaskRecord {
  const message = "The work was interrupted";
  return endRecord(record, {
    status: "failed",
    statusMessage: message,
    error: { code: ErrorCode.internalError, message },
  });
}
