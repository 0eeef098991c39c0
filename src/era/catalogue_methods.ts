import { createListResources } from "../features/resources/list_resources.ts";
import { createReadResource } from "../features/resources/read_resource.ts";
import { createCallTool } from "../features/tools/call_tool.ts";
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
  const { tools, resources, dynamicCatalogue, pageSize, catalogTtlMs: ttlMs } = catalogue;
  const hasTools = (): boolean => dynamicCatalogue || tools.size > 0;
  const hasResources = (): boolean => dynamicCatalogue || resources.size > 0;
  const paging = { pageSize, ttlMs };
  const { outputSchema, resourceNotFound: notFoundCode } = style;
  const lists = createListResources(resources, paging);
  const isServed = hasResources;
  return {
    rows: [
      ["tools/list", {
        run: createListTools(tools, {
          ...paging,
          outputSchema,
          byPermission: catalogue.filterListings,
          byCondition: true,
        }),
        isServed: hasTools,
      }],
      ["tools/call", {
        run: createCallTool(tools),
        isServed: hasTools,
        targetOf: ({ name }) => typeof name === "string" ? tools.get(name)?.name : undefined,
        ...toolFaults(catalogue),
      }],
      ["resources/list", { run: lists.resources, isServed }],
      ["resources/templates/list", { run: lists.templates, isServed }],
      ["resources/read", {
        run: createReadResource(resources, { notFoundCode }),
        isServed,
        targetOf: ({ uri }) =>
          typeof uri === "string" ? resources.resolve(uri)?.binding.template.text : undefined,
      }],
    ],
    capabilities: () => ({
      ...(hasTools() ? { tools: {} } : {}),
      ...(hasResources() ? { resources: {} } : {}),
    }),
  };
}
