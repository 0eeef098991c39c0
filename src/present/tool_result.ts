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

  /**
   * Brands the options of a result.
   *
   * @throws {TypeError} when the content is no list of blocks, or the metadata is no object.
   */
  constructor(options: ToolResultOptions) {
    if (!isBlockList(options.content)) {
      throw new TypeError("Cannot build a tool result: content must be a list of content blocks");
    }
    if (options.meta !== undefined && !isJsonObject(options.meta)) {
      throw new TypeError("Cannot build a tool result: meta must be an object");
    }
    this.options = options;
  }
}

/**
 * Builds a result by hand, where no content kind fits: several blocks, an embedded resource,
 * metadata.
 *
 * @returns A branded result, which is served as it is.
 * @throws {TypeError} when the content is no list of blocks, or the metadata is no object.
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
  return isJsonObject(value) && isBlockList(value.content) && value.content.length > 0;
}

/** Whether a value is a list of what could be content blocks. */
export function isBlockList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) &&
    value.every((block) => isJsonObject(block) && typeof block.type === "string");
}
