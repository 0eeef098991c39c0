import type { Log } from "../../ports/log_event.ts";
import { errorResult } from "../../present/error_result.ts";
import { overCeiling } from "../../present/result_size.ts";
import type { ResultText } from "../../present/result_text.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** A result over the ceiling of its tool is told, never cut (M-30). */
export function limitResult(tool: ToolBinding, result: ResultText, log: Log): ResultText {
  const { name, maxResultBytes } = tool;
  if (maxResultBytes === null) return result;
  const bytes = overCeiling(result, maxResultBytes);
  if (bytes === undefined) return result;
  log({
    level: "warning",
    event: "result.too_large",
    message: "A result is over its ceiling",
    fields: { tool: name, bytes, maxResultBytes },
  });
  return errorResult({
    type: "result_too_large",
    message: `The result of ${name} has ${bytes} bytes, over the ceiling of ${maxResultBytes}: ` +
      "ask for less, with a filter or a smaller limit",
  });
}
