import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { RestoreCaller, TaskOptions } from "../tasks/task_options.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** What a server insists on. */
export interface ToolDemands {
  readonly requireToolDescriptions: boolean;
  readonly requireListPagination: boolean;
  /** Whether callers authenticate, */
  readonly auth?: object | undefined;
  /** whether tasks are run, */
  readonly executor?: object | undefined;
  /** and how their callers are found again. */
  readonly restoreCaller?: RestoreCaller | undefined;
  readonly tasks?: TaskOptions | undefined;
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
  if (tool.taskPolicy === undefined || demands.executor === undefined) return;
  if (demands.auth !== undefined && demands.restoreCaller === undefined) {
    throw new ConfigurationError(
      `${where}: taskPolicy needs the server's option restoreCaller, to run a task as its caller`,
    );
  }
  if (demands.auth === undefined && demands.tasks?.anonymous !== true) {
    throw new ConfigurationError(
      `${where}: taskPolicy needs callers who authenticate, or tasks: { anonymous: true }`,
    );
  }
}
