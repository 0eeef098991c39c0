import { callerKey } from "../../gate/caller_key.ts";
import { overLimit } from "../../gate/over_limit.ts";
import { principalKey } from "../../ports/principal_key.ts";
import type { Token } from "../../ports/principal.ts";
import type { Call } from "../call.ts";
import type { Received } from "../elicitation/pending.ts";
import type { Outcome } from "../outcome.ts";
import { refusedByGate } from "../refused_by_gate.ts";
import { describeHandle } from "./describe_task.ts";
import { handOver } from "./hand_over.ts";
import type { TaskContext } from "./task_context.ts";
import { lifetimeOf, type TaskRecord } from "./task_record.ts";

/** What is called. */
export interface CalledOperation {
  /** For the log: `tool "a"`. */
  readonly where: string;
  /** Whether the same call twice does no more than once. */
  readonly isIdempotent: boolean;
}

/**
 * Creates a task of an admitted call: written before it is handed over, handed over before the client
 * has its handle (J-12).
 *
 * @returns The handle, or the refusal of a caller who has too many tasks.
 */
export async function createTask(
  context: TaskContext,
  call: Call,
  { where, isIdempotent }: CalledOperation,
): Promise<Outcome> {
  const { store, slots, settings, now } = context;
  const { pollIntervalMs, ttlMs } = settings;
  const { user, token } = call.caller;
  const { _meta: _, ...params } = call.params;
  const createdAt = now();
  const taskId = store.createId();
  const counted = callerKey(call.caller, call.host);
  const kept = { taskId, ttlMs: lifetimeOf(settings), host: call.host };
  const slot = counted && await slots.take(counted, kept);
  if (counted !== undefined && slot === undefined) {
    return refusedByGate(overLimit(RETRY_AFTER_S), { where }, call.log);
  }
  const record: TaskRecord = {
    taskId,
    status: "working",
    createdAt,
    updatedAt: createdAt,
    ttlMs,
    pollIntervalMs: pollIntervalMs ?? undefined,
    owner: principalKey(user),
    slot,
    userId: user.authenticated ? user.id : undefined,
    token: token && permitted(token),
    params,
    clientCapabilities: call.clientCapabilities,
    input: call.input && withoutConsents(call.input),
    isRepeatable: isIdempotent || undefined,
    stage: "handing",
    holder: crypto.randomUUID(),
    heldUntil: createdAt + settings.leaseMs,
  };
  await store.create(record, call.host);
  return { type: "task", result: describeHandle(await handOver(context, record, call.host)) };
}

/** What was agreed to has been used by `prepare`, which does not run again. */
function withoutConsents(
  { confirmation: _, redeem: __, ...input }: Received,
): NonNullable<TaskRecord["input"]> {
  return { ...input, consents: [] };
}

/** When a caller with too many tasks may ask again. */
const RETRY_AFTER_S = 5;

/** Never the token itself, nor its claims (J-2). */
function permitted({ scopes, audience }: Token): NonNullable<TaskRecord["token"]> {
  if (audience === undefined) return { scopes };
  return { scopes, audience: typeof audience === "string" ? audience : [...audience] };
}
