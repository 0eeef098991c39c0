import type { Log } from "../../ports/log_event.ts";
import { looksLikeToolResult } from "../../present/tool_result.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** Says that a plain value in the shape of a tool result is probably meant to be one. */
export function warnOfLookalike(tool: ToolBinding, value: unknown, log: Log): void {
  if (!looksLikeToolResult(value)) return;
  log({
    level: "warning",
    event: "LooksLikeToolResult",
    message: `Tool "${tool.name}" answered { content: [ … ] } as plain data: ` +
      "wrap it in toolResult() to serve it as a result",
    fields: { tool: tool.name },
  });
}
