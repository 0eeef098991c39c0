import { ActionUnavailable } from "../../kernel/affordance.ts";
import { InputRefused } from "../../kernel/input_required.ts";
import { type ServiceError, ServiceValidationError } from "../../kernel/service_error.ts";
import type { ToolError } from "../../present/error_result.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Problems } from "../../schema/problems.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** Arguments that were refused: every problem at once, and what was left out in one sentence (T-42). */
export function invalidArguments(
  tool: ToolBinding,
  problems: Problems,
  args: JsonObject,
): ToolError {
  const { missing } = problems;
  return {
    type: "validation_error",
    message: missing.length === 0
      ? "Invalid arguments"
      : tool.conventions.missingArguments(missing.map((name) => `\`${name}\``).join(", ")),
    detail: problems.toTree(),
    ...repeated(tool, args),
  };
}

/** A domain that refused, in its own words (T-43). */
export function refusedByService(
  tool: ToolBinding,
  error: ServiceError,
  args: JsonObject,
): ToolError {
  const { message } = error;
  if (error instanceof ActionUnavailable) {
    return { type: "service_error", message, code: error.code };
  }
  if (error instanceof InputRefused) return inputRefused(error);
  if (!(error instanceof ServiceValidationError)) return { type: "service_error", message };
  return { type: "validation_error", message, detail: error.detail, ...repeated(tool, args) };
}

/** A user who was asked and did not agree: said no, or said nothing (E-14). */
export function inputRefused({ message, action }: InputRefused): ToolError {
  return { type: action === "decline" ? "input_declined" : "input_cancelled", message, action };
}

/** Off by default: arguments may hold secrets (T-44). */
function repeated(tool: ToolBinding, args: JsonObject): { readonly value?: JsonObject } {
  return tool.operation.includeValidationValue ? { value: args } : {};
}
