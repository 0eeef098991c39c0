import { admit, notPermitted } from "../../gate/admit.ts";
import { askCaller } from "../../kernel/prepare_call.ts";
import type { Prepared } from "../../kernel/operation.ts";
import { openCall } from "../../kernel/run_call.ts";
import { andThen } from "../../ports/awaitable.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import { failure, type Outcome } from "../outcome.ts";
import { refusedByGate } from "../refused_by_gate.ts";
import { createTask } from "../tasks/create_task.ts";
import type { TaskContext } from "../tasks/task_context.ts";
import { refuseUndeclared } from "../tasks/task_extension.ts";
import { boundTool } from "./bound_tool.ts";
import { answer, prepareTool, refuseIncapable, runTool, type TaskWay } from "./call_tool.ts";
import { resumeTool, withAnswers } from "./resume_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Makes the way of tools with a task policy (J-4, J-10): whether the server runs tasks ▸ whether the
 * client knows them ▸ whether the caller may have them ▸ gate ▸ arguments ▸ `prepare` ▸ the task.
 *
 * @param context The tasks of the server; absent where it runs none.
 * @param knowsTasks Whether clients of the era may know tasks.
 */
export function createTaskWay(context: TaskContext | undefined, knowsTasks: boolean): TaskWay {
  return (tool, args, call) => {
    const isRequired = tool.taskPolicy === "required";
    if (context === undefined) {
      const message = `Tool "${tool.name}" runs as a task, and this server runs no tasks`;
      return isRequired ? failure(ErrorCode.internalError, message) : undefined;
    }
    const undeclared = refuseUndeclared(knowsTasks ? call.clientCapabilities : {});
    if (undeclared !== undefined) return isRequired ? undeclared : undefined;
    if (!context.settings.anonymous && !call.caller.user.authenticated) {
      if (!isRequired) return undefined;
      const denied = notPermitted("Anonymous callers get no tasks");
      return refusedByGate(denied, tool.operation, call.log);
    }
    return startTask(context, { tool, args, call });
  };
}

interface CalledTool {
  readonly tool: ToolBinding;
  readonly args: JsonObject;
  readonly call: Call;
}

async function startTask(context: TaskContext, { tool, args, call }: CalledTool): Promise<Outcome> {
  const { operation, gate } = tool;
  const { input } = call;
  const sent = input === undefined ? args : withAnswers(tool, args, input);
  const prepared = prepareTool(tool, sent, call);
  const denied = await admit(gate, call, () => askCaller(prepared));
  if (denied !== undefined) return refusedByGate(denied, operation, call.log);
  const incapable = refuseIncapable(tool, call);
  if (incapable !== undefined) return incapable;
  if (prepared.problems !== undefined) return await runTool(tool, prepared, sent, { call });
  const open = () => openTask(context, { tool, args: sent, call }, prepared);
  return await (input === undefined ? open() : resumeTool(tool, input, call, open));
}

async function openTask(
  context: TaskContext,
  { tool, args, call }: CalledTool,
  prepared: Prepared,
): Promise<Outcome> {
  const opened = andThen(
    openCall(prepared),
    (ended) => ended && answer(tool, prepared, ended, args, { call }),
  );
  const ended = await boundTool(tool, call, opened);
  if (ended !== undefined) return ended;
  if (call.isAbandoned) return failure(ErrorCode.internalError, "The client has left");
  const { where, spec } = tool.operation;
  return await createTask(context, call, { where, isIdempotent: spec.idempotent === true });
}
