import type { Call } from "../features/call.ts";
import type { PromptBinding } from "../features/prompts/prompt_binding.ts";
import type { Registry } from "../features/registry.ts";
import type { ResourceRegistry } from "../features/resources/resource_registry.ts";
import type { ToolBinding } from "../features/tools/tool_binding.ts";
import type { TaskContext } from "../features/tasks/task_context.ts";
import type { Topics } from "../features/topics.ts";
import type { SeedPool } from "../kernel/pool.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { Implementation } from "../protocol/descriptors.ts";
import type { Broker } from "../stores/broker.ts";

/** What a server offers, for the eras to serve. */
export interface Catalogue {
  /** Who the server is. */
  readonly serverInfo: Implementation;
  /** How a model should use it. */
  readonly instructions?: string | undefined;
  /** Its tools. */
  readonly tools: Registry<ToolBinding>;
  /** Its resources and their templates. */
  readonly resources: ResourceRegistry;
  /** Its prompts. */
  readonly prompts: Registry<PromptBinding>;
  /** Its tasks; absent where none are run. */
  readonly taskContext?: TaskContext | undefined;
  /** Whether things may be added to a kind of which there is nothing yet. */
  readonly dynamicCatalogue: boolean;
  /** Whether lists leave out what the caller's permissions deny. */
  readonly filterListings: boolean;
  /** Entries of a list's page. */
  readonly pageSize: number;
  /** How long a client may keep a list, in milliseconds. */
  readonly catalogTtlMs: number;
  /** How long a client waits for any other method than `tools/call`, in milliseconds. */
  readonly dispatchTimeoutMs: number | null;
  /** Carries changes to those who listen; absent where nobody can. */
  readonly broker?: Broker | undefined;
  /** Where changes are published. */
  readonly topics: Topics;
  /** Keeps equal URIs of different callers apart. */
  readonly partition?: ((pool: SeedPool) => string) | undefined;
  /** Whether a task is the caller's to watch; absent where there are no tasks. */
  readonly ownsTask?: ((call: Call, taskId: string) => Awaitable<boolean>) | undefined;
  /** Whether answers may be streams. */
  readonly streaming: "auto" | "never";
  /** What a caller of a tool gets for a fault. */
  readonly faults: "rpcError" | "toolError";
}
