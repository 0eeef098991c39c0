import { admit } from "../../gate/admit.ts";
import { askCaller } from "../../kernel/prepare_call.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Method } from "../call.ts";
import { invalidParams } from "../outcome.ts";
import { quoteName } from "../quote_name.ts";
import { refusedByGate } from "../refused_by_gate.ts";
import type { Registry } from "../registry.ts";
import { prepareTool, runTool } from "./call_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Makes `tools/call` of a task, for the process that runs it: like a direct call, of which the scopes
 * and permissions are asked again, but that no limit is charged, no deadline applies, and `prepare`
 * has run (J-21).
 */
export function createRunTaskTool(registry: Registry<ToolBinding>): Method {
  return async (call) => {
    const { name, arguments: sent } = call.params;
    const args = isJsonObject(sent) ? sent : {};
    const tool = registry.get(String(name));
    if (tool === undefined) return invalidParams(`Unknown tool: ${quoteName(String(name))}`);
    const { operation, gate: { scopes } } = tool;
    const prepared = prepareTool(tool, args, call);
    const denied = await admit({ scopes }, call, () => askCaller(prepared));
    if (denied !== undefined) return refusedByGate(denied, operation, call.log);
    return await runTool(tool, prepared, args, operation.deferredStages);
  };
}
