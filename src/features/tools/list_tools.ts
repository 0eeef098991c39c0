import type { Method } from "../call.ts";
import { listRegistry } from "../list_registry.ts";
import type { Registry } from "../registry.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { listTool } from "./dispatchers/list_tool.ts";
import { createToolFilter, type ToolFilterOptions } from "./tool_filter.ts";
import { type OutputSchemaWriter, writeListing } from "./tool_listing.ts";

/** How tools are listed. */
export interface ListToolsOptions extends ToolFilterOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
  /** Writes the output schema in the era's form. */
  readonly outputSchema: OutputSchemaWriter;
}

/**
 * Makes `tools/list`: every tool but those behind a dispatcher.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools}
 */
export function createListTools(
  registry: Registry<ToolBinding>,
  options: ListToolsOptions,
): Method {
  const { pageSize, ttlMs, outputSchema } = options;
  const cache = { ttlMs, cacheScope: "public" } as const;
  const write = (tool: ToolBinding): string => writeListing(listTool(tool, registry), outputSchema);
  const listed = {
    get version() {
      return registry.version;
    },
    all: () => registry.all().filter(({ dispatcher }) => dispatcher === undefined),
  };
  return listRegistry(
    listed,
    { list: "tools", member: "tools", pageSize, cache, write },
    createToolFilter(options),
  );
}
