import { isJsonObject, ownValue } from "../../../protocol/json.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { Registry } from "../../registry.ts";
import type { ToolBinding } from "../tool_binding.ts";
import { HELP } from "./help_name.ts";

/** A tool with what it is sent. */
export interface CallTarget {
  readonly tool: ToolBinding;
  readonly args: JsonObject;
}

/**
 * Finds the tool that a call is about: of a dispatcher, the one behind it, unless help is asked for.
 *
 * @param registry All tools.
 * @param name The name that is called.
 * @param args What is sent, not yet checked.
 */
export function findTarget(
  registry: Registry<ToolBinding>,
  name: unknown,
  args: unknown,
): CallTarget | undefined {
  const tool = typeof name === "string" ? registry.get(name) : undefined;
  const sent = isJsonObject(args) ? args : {};
  if (tool?.dispatches === undefined) return tool && { tool, args: sent };
  const inner = ownValue(sent, "tool");
  if (inner === HELP) return { tool, args: sent };
  const found = typeof inner === "string" ? registry.get(inner) : undefined;
  if (found?.dispatcher !== tool.name) return undefined;
  const params = ownValue(sent, "params");
  return { tool: found, args: isJsonObject(params) ? params : {} };
}
