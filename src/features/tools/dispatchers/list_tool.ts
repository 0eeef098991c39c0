import type { Registry } from "../../registry.ts";
import type { ToolBinding } from "../tool_binding.ts";
import type { ToolListing } from "../tool_listing.ts";
import { toolsBehind } from "./tools_behind.ts";
import { uniteHints } from "./unite_hints.ts";

/** How a tool is listed at the moment: the hints of a dispatcher follow from its tools. */
export function listTool(
  tool: ToolBinding,
  registry: Pick<Registry<ToolBinding>, "all">,
): ToolListing {
  const { listing, dispatches } = tool;
  if (dispatches === undefined) return listing;
  const hints = toolsBehind(registry, tool).map((one) => one.listing.annotations);
  return { ...listing, annotations: uniteHints(hints, dispatches) };
}
