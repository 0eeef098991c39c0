import type { ResultText } from "../../present/result_text.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { RpcError } from "../../protocol/rpc_error.ts";
import type { Pending, Received } from "../elicitation/pending.ts";

/** What a client sees of a task; the last three are never left (J-5). */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * Where the work stands: on its way to the executor, in a queue that will deliver it, being run,
 * waiting for answers, or over. The first and the third are held by a process, which says so again and
 * again; the second is held by a queue, for some minutes. A poll finds the way out of each.
 */
export type TaskStage = "handing" | "queued" | "running" | "asking" | "over";

/** A question that waits for its answer. */
export interface TaskQuestion {
  /** The key that the service asked under; unique within a round. */
  readonly key: string;
  /** The request, such as `elicitation/create` with its parameters. */
  readonly request: JsonObject;
  /** What the client answered. */
  readonly answer?: JsonObject;
}

/** What a run is given that begins again with answers: plain data. */
export type TaskInput = Omit<Received, "redeem">;

/**
 * Everything that is known of a task: plain data, kept in the store as sealed JSON. Only what
 * `describeTask()` picks reaches a client. Never holds a token, only what it permitted.
 */
export interface TaskRecord {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From the creation on; `null` where the client is told of no end. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number | undefined;
  /** Who created it: the principal's key. */
  readonly owner: string;
  /** Its place among the caller's unfinished tasks; absent where nobody can be told apart. */
  readonly slot?: string | undefined;
  /** The id that the caller is restored by; absent for an anonymous caller. */
  readonly userId?: string | undefined;
  /** What the credential permitted; absent where there was none. */
  readonly token?:
    | { readonly scopes: readonly string[]; readonly audience?: string | string[] }
    | undefined;
  /** The parameters of `tools/call` as they were sent, without `_meta`; dropped when it is over. */
  readonly params?: JsonObject | undefined;
  /** What the client declared with the call; dropped when it is over. */
  readonly clientCapabilities?: JsonObject | undefined;
  /** Whether the work may begin again after it was interrupted. */
  readonly isRepeatable?: boolean | undefined;
  readonly stage: TaskStage;
  /** The run that holds the task; in the stages `handing` and `running` only. */
  readonly holder?: string | undefined;
  /** When whoever holds it counts as gone, in milliseconds since the epoch: a run, or a queue. */
  readonly heldUntil?: number | undefined;
  /** The questions of this round, by keys that are unique within the task. */
  readonly questions?: Readonly<Record<string, TaskQuestion>> | undefined;
  /** Every key that was ever used. */
  readonly usedKeys?: readonly string[] | undefined;
  /** What goes with the answers of this round when the work begins again. */
  readonly pending?: Pending | undefined;
  /** What the user has answered so far, for the work that begins with it. */
  readonly input?: TaskInput | undefined;
  /** How the work ended, the same for every era. */
  readonly result?: ResultText | undefined;
  readonly error?: RpcError | undefined;
}

/** How long a task is kept whose client is told of no end: 7 days (J-34). */
const FALLBACK_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** How long a task is kept after its creation, in milliseconds. */
export function lifetimeOf({ ttlMs }: Pick<TaskRecord, "ttlMs">): number {
  return ttlMs ?? FALLBACK_TTL_MS;
}

/** Whether a task has ended, which it never leaves. */
export function isOver({ stage }: TaskRecord): boolean {
  return stage === "over";
}

/** What ends a task, and how. */
export type TaskEnd =
  & Pick<TaskRecord, "statusMessage" | "result" | "error">
  & { readonly status: "completed" | "failed" | "cancelled" };

/** The record of a task that has ended: nothing is kept that only the work needed. */
export function endRecord(record: TaskRecord, end: TaskEnd): TaskRecord {
  const { taskId, createdAt, updatedAt, ttlMs, pollIntervalMs, owner, slot } = record;
  const kept = { taskId, createdAt, updatedAt, ttlMs, pollIntervalMs, owner, slot };
  return { ...kept, ...end, stage: "over" };
}

/** Reads a record; `undefined` for what is none, such as one of another version (J-2). */
export function readRecord(json: string): TaskRecord | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isRecord = isJsonObject(value) && typeof value.taskId === "string" &&
      typeof value.owner === "string" && STAGES.includes(value.stage as TaskStage) &&
      typeof value.createdAt === "number" && typeof value.updatedAt === "number";
    return isRecord ? value as unknown as TaskRecord : undefined;
  } catch {
    return undefined;
  }
}

const STAGES: readonly TaskStage[] = ["handing", "queued", "running", "asking", "over"];
