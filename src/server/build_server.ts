import type { PromptBinding } from "../features/prompts/prompt_binding.ts";
import { announceLists } from "../features/subscriptions/announce_lists.ts";
import { Announcer } from "../features/announcer.ts";
import type { Call } from "../features/call.ts";
import { Registry } from "../features/registry.ts";
import { ResourceRegistry } from "../features/resources/resource_registry.ts";
import { findOwnTask } from "../features/tasks/find_task.ts";
import { createContinuationTool } from "../features/tools/continuation_tool.ts";
import type { ToolBinding } from "../features/tools/tool_binding.ts";
import { ToolCatalogue } from "../features/tools/tool_catalogue.ts";
import { createTopics } from "../features/topics.ts";
import type { LimitContext } from "../gate/charge_limits.ts";
import type { Around } from "../methods/around.ts";
import { auditCalls } from "../methods/audit_calls.ts";
import { logCalls } from "../methods/log_calls.ts";
import { Continuations } from "../present/continuation.ts";
import { readContinuationOptions } from "../present/continuation_options.ts";
import { createLogger, type Logger } from "../ports/logger.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Implementation } from "../protocol/descriptors.ts";
import type { LateStore } from "../stores/late_store.ts";
import { memoryStore } from "../stores/memory_store.ts";
import type { Settings } from "../settings.ts";
import { InProcess } from "./in_process.ts";
import { closeTasks, createTasks, runDelivered } from "./tasks.ts";
import { RequestFlow } from "./request_flow.ts";

/** What a server is made of. */
export interface ServerParts {
  /** Its options. */
  readonly settings: Settings;
  /** The tools, by name. */
  readonly tools: Registry<ToolBinding>;
  /** The resources and templates. */
  readonly resources: ResourceRegistry;
  /** The prompts, by name. */
  readonly prompts: Registry<PromptBinding>;
  /** What bindings are made with. */
  readonly binding: Settings & {
    readonly announcer: Announcer;
    readonly continuing: Continuations;
    readonly limiting: LimitContext;
  };
  /** Registers tools. */
  readonly catalogue: ToolCatalogue;
  /** Tells whoever listens of changes. */
  readonly announcer: Announcer;
  /** The way of a request. */
  readonly flow: RequestFlow;
  /** The way of a call of this process. */
  readonly inProcess: InProcess;
  /** Runs a task that a queue has delivered. */
  readonly runTask: (taskId: string, host: HostContext) => Promise<void>;
  /** Takes no more requests. @returns Once everything under way has ended, and what it changed is told. */
  readonly close: () => Promise<void>;
}

/**
 * Brings together what a server is made of. Does no I/O, sets no timer and draws no random number.
 *
 * @throws {ConfigurationError} when options do not go together.
 */
export function buildServer(settings: Settings): ServerParts {
  const { clock, stores: store = memoryStore({ clock }), continuationTool } = settings;
  const { "~open": openStore } = store as Partial<LateStore>;
  const limiting: LimitContext = { store, now: () => clock.now() };
  const log = createLogger(settings.log, settings.logLevel);
  const around = aroundOf(settings, log);
  const topics = createTopics(settings.name);
  const announcer = new Announcer({ broker: settings.broker, topics, log });
  const tools: Registry<ToolBinding> = new Registry("tool", "name");
  const prompts: Registry<PromptBinding> = new Registry("prompt", "name");
  const registries = { tools, resources: new ResourceRegistry(), prompts };
  const serverInfo = identityOf(settings);
  const announce = (taskId: string, json: string) => announcer.publishTask(taskId, json);
  const tasks = createTasks({ settings, tools, store, around, log, serverInfo, announce });
  const ownsTask = tasks &&
    (async (call: Call, taskId: string) => await findOwnTask(tasks, call, taskId) !== undefined);
  const offered = { ...settings, ...registries, topics, serverInfo, taskContext: tasks, ownsTask };
  const flow = new RequestFlow({ settings, catalogue: offered, limiting, openStore, log, around });
  const continuing = new Continuations(store, readContinuationOptions(settings.continuations));
  const binding = { ...settings, announcer, continuing, limiting };
  if (continuationTool !== undefined) {
    tools.add(continuationTool, createContinuationTool(continuationTool, binding));
  }
  announceLists(registries, announcer, () => flow.hasServed);
  const era = flow.eras.modern;
  const inProcess = new InProcess({ tools, settings, era, openStore, log, around });
  const catalogue = new ToolCatalogue(tools, binding, log);
  const runTask = (taskId: string, host: HostContext): Promise<void> =>
    runDelivered(tasks, openStore, taskId, host);
  const close = async (): Promise<void> => {
    await flow.close();
    if (tasks !== undefined) await closeTasks(tasks);
    await announcer.settled();
  };
  const ways = { flow, inProcess, runTask, close };
  return { settings, ...registries, binding, catalogue, announcer, ...ways };
}

function aroundOf({ around = [], audit }: Settings, { debug }: Logger): readonly Around[] {
  if (audit === undefined && debug === undefined) return around;
  return [
    ...(audit === undefined ? [] : [auditCalls(audit)]),
    ...(debug === undefined ? [] : [logCalls(debug)]),
    ...around,
  ];
}

function identityOf(settings: Settings): Implementation {
  const { name, version, title, description, websiteUrl, icons } = settings;
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined || icons.length === 0 ? {} : { icons }),
  };
}
