import { isJsonObject } from "../../protocol/json.ts";
import type { Method } from "../call.ts";
import { complete, invalidParams } from "../outcome.ts";
import { findTask } from "./find_task.ts";
import { handOver } from "./hand_over.ts";
import type { TaskContext } from "./task_context.ts";
import { holdRecord } from "./task_lease.ts";
import { isAnswered, readAnswers, resumeRecord, takeAnswers } from "./task_questions.ts";

/**
 * Makes `tasks/update`: takes answers to what a task asks; with the last one the work begins again
 * (J-33). What is not asked, or not any more, is acknowledged and ignored.
 *
 * @see {@link https://modelcontextprotocol.io/seps/2663-tasks-extension}
 */
export function createUpdateTask(context: TaskContext): Method {
  const { store, settings, now } = context;
  return async (call) => {
    const found = await findTask(context, call);
    if (found.type === "error") return found;
    const { inputResponses: sent } = call.params;
    const responses = isJsonObject(sent) ? readAnswers(found.record, sent) : undefined;
    if (responses === undefined) {
      return invalidParams("Invalid params: inputResponses must map keys to objects");
    }
    const { taskId } = found.record;
    const holder = crypto.randomUUID();
    const next = await store.change(taskId, call.host, (record) => {
      if (record.stage !== "asking") return undefined;
      const taken = takeAnswers(record, responses);
      if (taken === undefined || !isAnswered(taken)) return taken;
      const hold = { holder, heldUntil: now() + settings.leaseMs };
      return holdRecord(resumeRecord(taken), "handing", hold);
    });
    if (next?.holder === holder) await handOver(context, next, call.host);
    return complete({ members: "" });
  };
}
