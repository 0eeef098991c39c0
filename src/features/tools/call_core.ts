import { askCaller } from "../../kernel/prepare_call.ts";
import { NotPermitted } from "../../kernel/not_permitted.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import type { Outcome } from "../outcome.ts";
import { prepareTool, runTool } from "./call_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Calls the spec behind a tool, without what guards the transport: no scopes, no limits, no deadline
 * (N-2, T-31).
 *
 * @throws {NotPermitted} when the spec's permissions refuse the caller.
 * @throws Whatever the operation throws that no mapping covers.
 */
export async function callCore(tool: ToolBinding, args: JsonObject, call: Call): Promise<Outcome> {
  const prepared = prepareTool(tool, args, call);
  const denial = await askCaller(prepared);
  if (denial !== undefined) throw new NotPermitted(denial.message);
  const outcome = await runTool(tool, prepared, args, { style: "whole" });
  if (outcome.type === "error") throw new NotPermitted(outcome.error.message);
  return outcome;
}
