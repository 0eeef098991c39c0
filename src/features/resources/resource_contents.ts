import type { Bytes } from "../../present/base64.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

/** Bytes of any kind, a stream of them included. */
export type Binary = Bytes | ReadableStream<Uint8Array>;

/** What an author says of contents by hand: text, or bytes. */
export type ResourceContentsOptions =
  & {
    /** Media type. Default: the resource's. */
    readonly mimeType?: string;
    /** `_meta` of the contents. Default: the resource's. */
    readonly meta?: JsonObject;
  }
  & ({ readonly text: string } | { readonly bytes: Binary });

/** Contents whose kind is told with them; made by {@linkcode resourceContents} only. */
export class ResourceContents {
  /** What was said. */
  readonly options: ResourceContentsOptions;

  /**
   * Brands the options of contents.
   *
   * @throws {TypeError} when there is neither text nor bytes, or the metadata is no object.
   */
  constructor(options: ResourceContentsOptions) {
    if (("text" in options) === ("bytes" in options)) {
      throw new TypeError("Cannot build resource contents: give either text or bytes");
    }
    if (options.meta !== undefined && !isJsonObject(options.meta)) {
      throw new TypeError("Cannot build resource contents: meta must be an object");
    }
    this.options = options;
  }
}

/**
 * Answers a read with contents that say themselves what they are, where the resources of one
 * template differ: pictures of several media types, files.
 *
 * @returns Branded contents, which go before the resource's `encoding` and `mimeType`.
 * @throws {TypeError} when there is neither text nor bytes, or the metadata is no object.
 *
 * @example
 * ```ts
 * import { McpServer, param, resourceContents, selectorSpec, unrestricted } from "@limen/mcp";
 *
 * const server = new McpServer({ name: "people", version: "1.0.0" });
 * const photo = selectorSpec({
 *   kind: "retrieve",
 *   reads: { name: param.string({ required: true }) },
 *   permissions: [unrestricted],
 *   select: () => resourceContents({ bytes: new Uint8Array([1, 2]), mimeType: "image/png" }),
 * });
 * server.registerResource(photo, { uri: "people://{name}/photo", name: "photo" });
 * ```
 */
export function resourceContents(options: ResourceContentsOptions): ResourceContents {
  return new ResourceContents(options);
}
