/**
 * The words of the wire: JSON-RPC messages, error codes, content blocks and protocol revisions, as
 * the Model Context Protocol defines them. Types and constants only; nothing here reads a request
 * or writes a response.
 *
 * @example
 * ```ts
 * import { ErrorCode } from "@limen/mcp/protocol";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ErrorCode.insufficientPermission, -32006);
 * ```
 *
 * @module
 */
export type {
  AudioBlock,
  ContentAnnotations,
  ContentBlock,
  ContentBlockBase,
  ImageBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
} from "./content.ts";
export type { Icon, Implementation, ToolAnnotations } from "./descriptors.ts";
export { ErrorCode } from "./error_code.ts";
export { isJsonObject, type JsonObject, ownValue } from "./json.ts";
export type { RequestId, RpcMessage } from "./json_rpc.ts";
export { MetaKey } from "./meta_key.ts";
export type { PromptMessage } from "./prompt_message.ts";
export { isRefusal, type Refusal, type RefusalReason } from "./refusal.ts";
export { type Revision, REVISIONS } from "./revision.ts";
export type { RpcError } from "./rpc_error.ts";
