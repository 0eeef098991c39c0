import type { ContentBlock } from "../protocol/content.ts";
import { isJsonObject, type JsonObject } from "../protocol/json.ts";

/** What an author can say of a result by hand. */
export interface ToolResultOptions {
  /** The blocks, in order. */
  readonly content: readonly ContentBlock[];
  /** The machine-readable form. Default: none. */
  readonly structuredContent?: unknown;
  /** Whether the tool reports a failure. Default `false`. */
  readonly isError?: boolean;
  /** Metadata of the result. Default: none. */
  readonly meta?: JsonObject;
}

/** A result built by hand; made by {@linkcode toolResult} only. */
export class ToolResult {
  /** What was said. */
  readonly options: ToolResultOptions;

  /** Brands the options of a result. */
  constructor(options: ToolResultOptions) {
    this.options = options;
  }
}

/**
 * Builds a result by hand, where no content kind fits: several blocks, an embedded resource,
 * metadata.
 *
 * @returns A branded result, which is served as it is.
 *
 * @example
 * ```ts
 * import { McpServer, toolResult, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "docs", version: "1.0.0" });
 * server.tool("readme", {
 *   description: "Shows the readme.",
 *   effect: "read",
 *   permissions: [unrestricted],
 * }, () =>
 *   toolResult({
 *     content: [{ type: "resource", resource: { uri: "docs://readme", text: "# Hello" } }],
 *   }));
 * ```
 */
export function toolResult(options: ToolResultOptions): ToolResult {
  return new ToolResult(options);
}

/** Whether a plain value has the shape of a ported handler's result, which is almost surely a slip. */
export function looksLikeToolResult(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value.content) && value.content.length > 0 &&
    value.content.every((block) => isJsonObject(block) && typeof block.type === "string");
}
