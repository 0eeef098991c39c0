import type { ServiceError } from "../../kernel/service_error.ts";
import type { ToolError } from "../../present/error_result.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * A presenter that refused a shape the caller sent: keyed by the shape, or about the whole where
 * several were sent (T-45).
 */
export function refusedShape(
  { conventions, isPaged }: ToolBinding,
  { message }: ServiceError,
  shapes: readonly string[],
): ToolError {
  const note = isPaged && conventions.queryParamOnPages !== undefined
    ? ` ${conventions.queryParamOnPages}`
    : "";
  return {
    type: "validation_error",
    message: `${shapes.join(", ")} was rejected while rendering the result: ${message}${note}`,
    detail: { [shapes.length === 1 ? shapes[0]! : "non_field_errors"]: [message] },
  };
}
