import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** What a server insists on. */
export interface ToolDemands {
  readonly requireToolDescriptions: boolean;
  readonly requireListPagination: boolean;
}

/**
 * Holds a tool against what the server insists on.
 *
 * @throws {ConfigurationError} for what it does not allow, naming the tool.
 */
export function checkDemands(tool: ToolBinding, demands: ToolDemands): void {
  const { options, operation, isPaged } = tool;
  const where = `Cannot register ${operation.where}`;
  if (demands.requireToolDescriptions && !options.description?.trim()) {
    throw new ConfigurationError(`${where}: description must say what the tool does`);
  }
  if (demands.requireListPagination && operation.spec.kind === "list" && !isPaged) {
    throw new ConfigurationError(`${where}: a list needs paginate: true`);
  }
}
