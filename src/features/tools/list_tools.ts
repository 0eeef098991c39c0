import { serialize } from "../../present/serialize.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Method } from "../call.ts";
import { listRegistry } from "../list_registry.ts";
import type { Registry } from "../registry.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { createToolFilter, type ToolFilterOptions } from "./tool_filter.ts";

/** How tools are listed. */
export interface ListToolsOptions extends ToolFilterOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
  /** Writes the output schema in the era's form; `undefined` leaves it out. */
  readonly outputSchema: (schema: JsonObject) => JsonObject | undefined;
}

/**
 * Makes `tools/list`.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools}
 */
export function createListTools(
  registry: Registry<ToolBinding>,
  options: ListToolsOptions,
): Method {
  const { pageSize, ttlMs, outputSchema } = options;
  const cache = { ttlMs, cacheScope: "public" } as const;
  const write = (tool: ToolBinding): string => entry(tool, outputSchema);
  return listRegistry(
    registry,
    { list: "tools", member: "tools", pageSize, cache, write },
    createToolFilter(options),
  );
}

function entry({ listing }: ToolBinding, write: ListToolsOptions["outputSchema"]): string {
  const schema = listing.outputSchema && write(listing.outputSchema);
  return schema === undefined
    ? `{${listing.members}}`
    : `{${listing.members},"outputSchema":${serialize(schema)}}`;
}
