import type { Registry } from "../registry.ts";
import { listTool } from "./dispatchers/list_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { writeListing } from "./tool_listing.ts";

/** How much of a model's context something takes. */
export interface CatalogueSize {
  /** How many tools there are. */
  readonly tools: number;
  /** UTF-8 bytes of their entries. */
  readonly bytes: number;
  /** Tokens, roughly: a fourth of the bytes. */
  readonly tokens: number;
}

/** One tool of a {@linkcode CatalogueReport}. */
export interface ReportedTool {
  /** The tool's name. */
  readonly name: string;
  /** UTF-8 bytes of its entry. */
  readonly bytes: number;
  /** Tokens, roughly: a fourth of the bytes. */
  readonly tokens: number;
  /** The dispatcher that it stands behind; absent where it is listed. */
  readonly dispatcher?: string;
}

/** What the tools of a server cost a model that is told of them. */
export interface CatalogueReport {
  /** What `tools/list` sends, whatever a model then calls. */
  readonly listed: CatalogueSize;
  /** What stands behind dispatchers, and is told one by one where a model asks for help. */
  readonly hidden: CatalogueSize;
  /** Every tool, the largest first. */
  readonly tools: readonly ReportedTool[];
}

/** Measures every tool as clients of 2026-07-28 are told of it, whoever calls. */
export function reportCatalogue(registry: Registry<ToolBinding>): CatalogueReport {
  const encoder = new TextEncoder();
  const tools = registry.all().map((tool): ReportedTool => {
    const entry = writeListing(listTool(tool, registry), (schema) => schema);
    const { length: bytes } = encoder.encode(entry);
    const { name, dispatcher } = tool;
    const size = { name, bytes, tokens: countTokens(bytes) };
    return dispatcher === undefined ? size : { ...size, dispatcher };
  });
  return {
    listed: sum(tools.filter(({ dispatcher }) => dispatcher === undefined)),
    hidden: sum(tools.filter(({ dispatcher }) => dispatcher !== undefined)),
    tools: tools.toSorted((a, b) => b.bytes - a.bytes),
  };
}

function sum(tools: readonly ReportedTool[]): CatalogueSize {
  const bytes = tools.reduce((total, one) => total + one.bytes, 0);
  return { tools: tools.length, bytes, tokens: countTokens(bytes) };
}

/** As a rule of thumb (HV-41). */
function countTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}
