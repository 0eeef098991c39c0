import { boundMethod } from "../features/bound_method.ts";
import type { Method } from "../features/call.ts";
import { createComplete } from "../features/completions/complete.ts";
import { createGetPrompt } from "../features/prompts/get_prompt.ts";
import { createListPrompts } from "../features/prompts/list_prompts.ts";
import { createListResources } from "../features/resources/list_resources.ts";
import { createReadResource } from "../features/resources/read_resource.ts";
import { createTaskWay } from "../features/tools/call_as_task.ts";
import { createCallTool } from "../features/tools/call_tool.ts";
import { findTarget } from "../features/tools/dispatchers/find_target.ts";
import { createListTools, type ListToolsOptions } from "../features/tools/list_tools.ts";
import type { MethodRow } from "../methods/run_method.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Catalogue } from "./catalogue.ts";
import { toolFaults } from "./tool_faults.ts";

/** In what the eras differ when they serve a catalogue. */
export interface CatalogueStyle {
  /** The code of a resource that does not exist. */
  readonly resourceNotFound: number;
  /** Writes a tool's output schema in the era's form. */
  readonly outputSchema: ListToolsOptions["outputSchema"];
  /** Whether clients may know tasks. */
  readonly knowsTasks: boolean;
}

/** The methods of a catalogue, and the capabilities that say which of them exist. */
export interface CatalogueMethods {
  /** Rows of the era's table. */
  readonly rows: readonly (readonly [method: string, row: MethodRow])[];
  /** Asked at each call, since catalogues may grow. */
  readonly capabilities: () => JsonObject;
}

/**
 * Makes the methods that serve what is registered: those of a kind of which there is nothing do not
 * exist, unless the catalogue is declared dynamic.
 */
export function catalogueMethods(catalogue: Catalogue, style: CatalogueStyle): CatalogueMethods {
  const { tools, resources, prompts, dynamicCatalogue, filterListings: byPermission } = catalogue;
  const bound = (run: Method): Method => boundMethod(run, catalogue.dispatchTimeoutMs);
  const hasTools = (): boolean => dynamicCatalogue || tools.size > 0;
  const hasResources = (): boolean => dynamicCatalogue || resources.size > 0;
  const hasPrompts = (): boolean => dynamicCatalogue || prompts.size > 0;
  const hasCompleters = (): boolean =>
    dynamicCatalogue || hasCompleter(prompts.values()) ||
    hasCompleter(resources.templates.values());
  const paging = { pageSize: catalogue.pageSize, ttlMs: catalogue.catalogTtlMs, byPermission };
  const { outputSchema, resourceNotFound: notFoundCode } = style;
  const toolRules = { ...paging, outputSchema, byCondition: true };
  const lists = createListResources(resources, paging);
  const isServed = hasResources;
  return {
    rows: [
      ["tools/list", {
        run: bound(createListTools(tools, toolRules)),
        isServed: hasTools,
      }],
      ["tools/call", {
        run: createCallTool(tools, {
          ...toolRules,
          taskWay: createTaskWay(catalogue.taskContext, style.knowsTasks),
        }),
        isServed: hasTools,
        targetOf: ({ name, arguments: args }) => findTarget(tools, name, args)?.tool.name,
        ...toolFaults(catalogue),
      }],
      ["resources/list", { run: bound(lists.resources), isServed }],
      ["resources/templates/list", { run: bound(lists.templates), isServed }],
      ["resources/read", {
        run: bound(createReadResource(resources, { notFoundCode })),
        isServed,
        targetOf: ({ uri }) =>
          typeof uri === "string" ? resources.resolve(uri)?.binding.template.text : undefined,
      }],
      ["prompts/list", { run: bound(createListPrompts(prompts, paging)), isServed: hasPrompts }],
      ["prompts/get", {
        run: bound(createGetPrompt(prompts)),
        isServed: hasPrompts,
        targetOf: ({ name }) => typeof name === "string" ? prompts.get(name)?.name : undefined,
      }],
      ["completion/complete", {
        run: bound(createComplete({ prompts, resources })),
        isServed: hasCompleters,
      }],
    ],
    capabilities: () => ({
      ...(hasTools() ? { tools: {} } : {}),
      ...(hasResources() ? { resources: {} } : {}),
      ...(hasPrompts() ? { prompts: {} } : {}),
      ...(hasCompleters() ? { completions: {} } : {}),
    }),
  };
}

function hasCompleter(
  bindings: Iterable<{ readonly completers: ReadonlyMap<string, unknown> }>,
): boolean {
  for (const { completers } of bindings) if (completers.size > 0) return true;
  return false;
}
