import { admit } from "../../gate/admit.ts";
import { askCaller } from "../../kernel/prepare_call.ts";
import type { Method } from "../call.ts";
import { invalidParams } from "../outcome.ts";
import { quoteName } from "../quote_name.ts";
import { refusedByGate } from "../refused_by_gate.ts";
import type { Registry } from "../registry.ts";
import { prepareTool, runTool } from "./call_tool.ts";
import { findTarget } from "./dispatchers/find_target.ts";
import { resumeTool, withAnswers } from "./resume_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Makes `tools/call` of a task, for the process that runs it: like a direct call, of which the scopes
 * and permissions are asked again, but that no limit is charged, no deadline applies, `prepare` has run,
 * and nothing is kept to be read on (J-21, X-6).
 */
export function createRunTaskTool(registry: Registry<ToolBinding>): Method {
  return async (call) => {
    const { params: { name, arguments: sent }, input } = call;
    const target = findTarget(registry, name, sent);
    if (target === undefined) return invalidParams(`Unknown tool: ${quoteName(String(name))}`);
    const { tool } = target;
    const { operation, gate: { scopes } } = tool;
    const args = input === undefined ? target.args : withAnswers(tool, target.args, input);
    const prepared = prepareTool(tool, args, call);
    const denied = await admit({ scopes }, call, () => askCaller(prepared));
    if (denied !== undefined) return refusedByGate(denied, operation, call.log);
    const options = { call, stages: operation.deferredStages, style: "tokenless" } as const;
    const run = () => runTool(tool, prepared, args, options);
    return await (input === undefined ? run() : resumeTool(tool, input, call, run));
  };
}
