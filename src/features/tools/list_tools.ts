import type { CacheHint, ResultText } from "../../present/result_text.ts";
import { serialize } from "../../present/serialize.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Method } from "../call.ts";
import { decodeCursor, encodeCursor } from "../list_cursor.ts";
import { complete, invalidParams } from "../outcome.ts";
import type { ToolBinding } from "./tool_binding.ts";
import type { ToolRegistry } from "./tool_registry.ts";

/** How tools are listed. */
export interface ListToolsOptions {
  /** Entries of a page. */
  readonly pageSize: number;
  /** How long a client may keep a page, in milliseconds. */
  readonly ttlMs: number;
  /** Writes the output schema in the era's form; `undefined` leaves it out. */
  readonly outputSchema: (schema: JsonObject) => JsonObject | undefined;
}

/**
 * Makes `tools/list`: pages of finished JSON text, built once for each version of the registry.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools}
 */
export function createListTools(registry: ToolRegistry, options: ListToolsOptions): Method {
  const pages = new Map<number, ResultText>();
  let version = -1;
  return ({ params }) => {
    if (version !== registry.version) {
      pages.clear();
      version = registry.version;
    }
    const offset = params.cursor === undefined ? 0 : decodeCursor("tools", params.cursor);
    if (offset === undefined || !isPageStart(offset)) return invalidParams("Invalid cursor");
    let page = pages.get(offset);
    if (page === undefined) pages.set(offset, page = buildPage(registry, offset, options));
    return complete(page);
  };

  /** Only a cursor that was issued is taken, so that no more pages are kept than there are. */
  function isPageStart(offset: number): boolean {
    return offset === 0 || (offset < registry.size && offset % options.pageSize === 0);
  }
}

function buildPage(registry: ToolRegistry, offset: number, options: ListToolsOptions): ResultText {
  const { pageSize, ttlMs, outputSchema } = options;
  const end = offset + pageSize;
  const entries = registry.all().slice(offset, end).map((tool) => entry(tool, outputSchema));
  const next = end < registry.size ? `,"nextCursor":"${encodeCursor("tools", end)}"` : "";
  const cache: CacheHint = { ttlMs, cacheScope: "public" };
  return { members: `"tools":[${entries.join(",")}]${next}`, cache, reusable: true };
}

function entry({ listing }: ToolBinding, write: ListToolsOptions["outputSchema"]): string {
  const schema = listing.outputSchema && write(listing.outputSchema);
  return schema === undefined
    ? `{${listing.members}}`
    : `{${listing.members},"outputSchema":${serialize(schema)}}`;
}
