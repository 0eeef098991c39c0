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

/** Whether the process that holds a task counts as gone. */
export function hasLapsed({ stage, heldUntil = 0 }: TaskRecord, now: number): boolean {
  return (stage === "handing" || stage === "running") && heldUntil <= now;
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
