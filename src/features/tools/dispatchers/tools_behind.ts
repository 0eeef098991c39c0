import type { Registry } from "../../registry.ts";
import type { ToolBinding } from "../tool_binding.ts";

/** The tools behind a dispatcher, in the order of registration. */
export function toolsBehind(
  registry: Pick<Registry<ToolBinding>, "all">,
  dispatcher: ToolBinding,
): readonly ToolBinding[] {
  return registry.all().filter((tool) => tool.dispatcher === dispatcher.name);
}
