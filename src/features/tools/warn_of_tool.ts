import type { Log } from "../../ports/log_event.ts";
import type { LogEventName } from "../../ports/log_events.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Says what is legal and still likely a slip, each with a stable name: `UndescribedTool`,
 * `UnguardedTool`, `UnboundedList`, `ToolName`.
 */
export function warnOfTool(tool: ToolBinding, log: Log): void {
  const { name, options, operation } = tool;
  const warn = (event: LogEventName, problem: string): void =>
    log({ level: "warning", event, message: `Tool ${JSON.stringify(name)}: ${problem}` });
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    warn("ToolName", "model APIs take names of A-Z a-z 0-9 _ - only, up to 64 characters");
  }
  if (options.description === undefined || options.description.trim() === "") {
    warn("UndescribedTool", "description does not say what it does");
  }
  if (operation.isGranted) warn("UnguardedTool", "no permission check is declared");
  if (operation.spec.kind === "list" && !tool.isPaged) {
    warn("UnboundedList", "it is a list without paginate: a long one fills the model's context");
  }
}
