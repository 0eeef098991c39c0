import { MODERN_REVISIONS } from "../era/modern/modern_revisions.ts";
import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import { MetaKey } from "../protocol/meta_key.ts";
import { CLIENT_INFO, type Conversation, type ConversationOptions } from "./conversation.ts";
import { encodeMirrored } from "./encode_mirrored.ts";

/** Talks in the modern era: every request says everything itself, so nothing is opened or ended. */
export function createModernConversation(options: ConversationOptions): Conversation {
  const { capabilities = {}, protocolVersion = MODERN_REVISIONS[0]! } = options;
  const envelope = {
    [MetaKey.protocolVersion]: protocolVersion,
    [MetaKey.clientInfo]: CLIENT_INFO,
    [MetaKey.clientCapabilities]: capabilities,
  };
  const nothing = Promise.resolve(undefined);
  return {
    mirrorsArguments: true,
    open: () => nothing,
    close: () => nothing,
    address: (method, params) => ({
      headers: {
        "mcp-protocol-version": protocolVersion,
        "mcp-method": method,
        ...nameHeader(params),
      },
      params: { ...params, _meta: { ...envelope, ...metaOf(params) } },
    }),
  };
}

function nameHeader({ name, uri, taskId }: JsonObject): Readonly<Record<string, string>> {
  const mirrored = name ?? uri ?? taskId;
  return typeof mirrored === "string" ? { "mcp-name": encodeMirrored(mirrored) } : {};
}

function metaOf({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? meta : {};
}
