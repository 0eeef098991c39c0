import { LEGACY_REVISIONS } from "../era/legacy/legacy_revisions.ts";
import type { JsonObject } from "../protocol/json.ts";
import { CLIENT_INFO, type Conversation, type ConversationOptions } from "./conversation.ts";
import type { createInProcessTransport } from "./in_process_transport.ts";
import type { TestAnswer } from "./test_answer.ts";

/** Talks in the legacy era: `initialize` opens, a session goes with every message, DELETE ends it. */
export function createLegacyConversation(
  post: ReturnType<typeof createInProcessTransport>,
  options: ConversationOptions,
): Conversation {
  const { capabilities = {}, protocolVersion = LEGACY_REVISIONS[0]! } = options;
  let opening: Promise<TestAnswer> | undefined;
  let headers: Readonly<Record<string, string>> = {};

  const send = (method: string, params: JsonObject, id?: number) =>
    post({ headers, message: { jsonrpc: "2.0", id, method, params } });

  async function initialize(): Promise<TestAnswer> {
    const params = { protocolVersion, capabilities, clientInfo: CLIENT_INFO };
    const answer = await send("initialize", params, 0);
    const agreed = answer.result?.protocolVersion;
    if (typeof agreed !== "string") {
      opening = undefined;
      return answer;
    }
    const session = answer.headers.get("mcp-session-id");
    headers = {
      "mcp-protocol-version": agreed,
      ...(session === null ? {} : { "mcp-session-id": session }),
    };
    await send("notifications/initialized", {});
    return answer;
  }

  return {
    mirrorsArguments: false,
    open: async () => {
      const answer = await (opening ??= initialize());
      return answer.result === undefined ? answer : undefined;
    },
    address: (_method, params) => ({ headers, params }),
    cancel: (requestId) => send("notifications/cancelled", { requestId }),
    close: async () => {
      const hasSession = "mcp-session-id" in headers;
      const ended = hasSession ? await post({ headers }) : undefined;
      opening = undefined;
      headers = {};
      return ended;
    },
  };
}
