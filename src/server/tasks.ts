import { createScopeExpansion } from "../auth/scope_expansion.ts";
import { createTaskWriter } from "../era/modern/encode_outcome.ts";
import { toolFaults } from "../era/tool_faults.ts";
import { readAskingOptions } from "../features/elicitation/asking_options.ts";
import type { Registry } from "../features/registry.ts";
import { describeTask } from "../features/tasks/describe_task.ts";
import { runTask } from "../features/tasks/run_task.ts";
import { createTaskContext, type TaskContext } from "../features/tasks/task_context.ts";
import { findTarget } from "../features/tools/dispatchers/find_target.ts";
import { createRunTaskTool } from "../features/tools/run_task_tool.ts";
import type { ToolBinding } from "../features/tools/tool_binding.ts";
import type { Around } from "../methods/around.ts";
import { type MethodTable, runMethod } from "../methods/run_method.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Logger } from "../ports/logger.ts";
import type { Implementation } from "../protocol/descriptors.ts";
import type { Settings } from "../settings.ts";
import type { KeyValueStore } from "../stores/key_value_store.ts";

/** What the tasks of a server run with. */
export interface TasksOptions {
  /** The options of the server. */
  readonly settings: Settings;
  /** What is run. */
  readonly tools: Registry<ToolBinding>;
  /** Where records are kept. */
  readonly store: KeyValueStore;
  /** What wraps every call, those of tasks included. */
  readonly around: readonly Around[];
  /** Where events go. */
  readonly log: Logger;
  /** Who the server is, for what is announced. */
  readonly serverInfo: Implementation;
  /**
   * Told of every change of a task's status, with the parameters of `notifications/tasks` as JSON text
   * (J-35). Default: nobody is.
   */
  readonly announce?: (taskId: string, json: string) => Awaitable<unknown>;
}

/**
 * Makes the tasks of a server, whose work takes the way of a direct call.
 *
 * @returns `undefined` for a server without an executor.
 */
export function createTasks(options: TasksOptions): TaskContext | undefined {
  const { settings, tools, store, around, log, serverInfo, announce } = options;
  const { executor, clock, restoreCaller, implies = {} } = settings;
  if (executor === undefined) return undefined;
  const expand = createScopeExpansion(implies);
  const write = createTaskWriter(serverInfo);
  const methods: MethodTable = new Map([["tools/call", {
    run: createRunTaskTool(tools),
    targetOf: ({ name, arguments: args }) => findTarget(tools, name, args)?.tool.name,
    ...toolFaults(settings),
  }]]);
  return createTaskContext({
    ...settings,
    executor,
    restoreCaller: restoreCaller && (async (id) => {
      const restored = await restoreCaller(id);
      return restored && expand(restored);
    }),
    store,
    now: () => clock.now(),
    log,
    maxRounds: readAskingOptions(settings.requestState).maxRounds,
    announce: announce && ((record) => announce(record.taskId, write(describeTask(record)))),
    perform: (call) => runMethod(methods, call, around),
  });
}

/**
 * Runs a task that a queue has delivered.
 *
 * @param openStore Makes the store; absent where it was there from the start.
 * @throws {ConfigurationError} when the server has no executor.
 */
export async function runDelivered(
  tasks: TaskContext | undefined,
  openStore: ((host: HostContext) => void) | undefined,
  taskId: string,
  host: HostContext,
): Promise<void> {
  if (tasks === undefined) {
    throw new ConfigurationError("Cannot run a task: the server has no executor");
  }
  openStore?.(host);
  await runTask(tasks, taskId, host);
}

/** Resolves when the tasks that this process took have ended. */
export async function closeTasks({ executor, running, held }: TaskContext): Promise<void> {
  await executor.close?.();
  await Promise.allSettled(running);
  held.clear();
}
