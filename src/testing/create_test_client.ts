import { ErrorCode } from "../protocol/error_code.ts";
import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import { answerQuestions, ASKABLE, MAX_ROUNDS } from "./answer_questions.ts";
import { createInProcessTransport, type TestServer } from "./in_process_transport.ts";
import { createLegacyConversation } from "./legacy_conversation.ts";
import { mirrorArguments } from "./mirror_arguments.ts";
import { createModernConversation } from "./modern_conversation.ts";
import { RpcFailure } from "./rpc_failure.ts";
import type { ReceivedNotification, TestAnswer } from "./test_answer.ts";
import type {
  CalledResult,
  ListedTool,
  ReceivedProgress,
  TestClient,
  TestClientOptions,
  TestRequestOptions,
} from "./test_client.ts";
import { untilAborted } from "./until_aborted.ts";

/**
 * Makes a client that talks to a server in the same process, through `fetch` and without a port. It
 * speaks as clients of its era do, and looks the same in both, so that a test can loop over them.
 *
 * @param server A server, or an application that one is mounted on.
 * @param options The era, and what the client sends with its requests.
 *
 * @example
 * ```ts
 * import { McpServer, param, unrestricted } from "@limen/mcp";
 * import { createTestClient } from "@limen/mcp/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const server = new McpServer({ name: "hello", version: "1.0.0" });
 * server.tool("greet", {
 *   description: "Greets someone.",
 *   effect: "read",
 *   reads: { name: param.string({ required: true }) },
 *   permissions: [unrestricted],
 * }, ({ args }) => `Hello ${args.name}`);
 *
 * for (const era of ["modern", "legacy"] as const) {
 *   await using client = createTestClient(server, { era });
 *   const { content } = await client.callTool("greet", { name: "Ada" });
 *   assertEquals(content, [{ type: "text", text: "Hello Ada" }]);
 * }
 * ```
 */
export function createTestClient(server: TestServer, options: TestClientOptions = {}): TestClient {
  const { era = "modern", answer: answerOne } = options;
  const post = createInProcessTransport(server, options);
  const talking = answerOne === undefined ? options : { capabilities: ASKABLE, ...options };
  const conversation = era === "modern"
    ? createModernConversation(talking)
    : createLegacyConversation(post, talking);
  const listed = new Map<string, ListedTool>();
  let lastId = 0;

  async function request(
    method: string,
    params: JsonObject = {},
    options: TestRequestOptions = {},
  ): Promise<TestAnswer> {
    let answer = await send(method, params, options);
    for (let round = 0; answerOne !== undefined && round < MAX_ROUNDS; round++) {
      const answers = await answerQuestions(answer, answerOne);
      if (answers === undefined) break;
      answer = await send(method, { ...params, ...answers }, options);
    }
    return answer;
  }

  async function send(
    method: string,
    params: JsonObject,
    { onProgress, progressToken, signal, headers: own }: TestRequestOptions,
  ): Promise<TestAnswer> {
    const refused = method === "initialize" ? undefined : await conversation.open();
    signal?.throwIfAborted();
    if (refused !== undefined) return refused;
    const id = ++lastId;
    const token = progressToken ?? (onProgress && id);
    const { headers, params: full } = conversation.address(method, withToken(params, token));
    const cancel = conversation.cancel;
    const answer = post({
      headers: { ...headers, ...own },
      message: { jsonrpc: "2.0", id, method, params: full },
      onNotification: onProgress && ((one) => tellProgress(one, token, onProgress)),
      signal: cancel === undefined ? signal : undefined,
    });
    return await (signal === undefined ? answer : untilAborted(answer, signal, () => cancel?.(id)));
  }

  async function listTools(): Promise<readonly ListedTool[]> {
    const tools: ListedTool[] = [];
    let cursor: unknown;
    do {
      const page = resultOf("tools/list", await request("tools/list", cursor ? { cursor } : {}));
      tools.push(...page.tools as readonly ListedTool[]);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    for (const tool of tools) listed.set(tool.name, tool);
    return tools;
  }

  async function callTool(
    name: string,
    args: JsonObject = {},
    options: TestRequestOptions = {},
  ): Promise<CalledResult> {
    const call = () => {
      const tool = conversation.mirrorsArguments ? listed.get(name) : undefined;
      const mirrored = tool === undefined ? {} : mirrorArguments(tool.inputSchema, args);
      const headers = { ...mirrored, ...options.headers };
      return request("tools/call", { name, arguments: args }, { ...options, headers });
    };
    let answer = await call();
    // Which arguments are mirrored stands in the listing, so a client without it has to look.
    if (answer.error?.code === ErrorCode.headerMismatch && !listed.has(name)) {
      await listTools();
      answer = await call();
    }
    return resultOf("tools/call", answer) as CalledResult;
  }

  async function close(): Promise<void> {
    const ended = await conversation.close();
    if (ended?.error !== undefined) throw new RpcFailure("DELETE", ended);
  }

  return {
    era,
    listTools,
    callTool,
    request,
    notify: async (method, params = {}) => {
      const refused = await conversation.open();
      if (refused !== undefined) return refused;
      const { headers, params: full } = conversation.address(method, params);
      return await post({ headers, message: { jsonrpc: "2.0", method, params: full } });
    },
    close,
    [Symbol.asyncDispose]: async () => {
      await conversation.close(); // a refusal, say of a closed server, must not hide the test's error
    },
  };
}

function withToken(params: JsonObject, progressToken: string | number | undefined): JsonObject {
  if (progressToken === undefined) return params;
  const meta = isJsonObject(params._meta) ? params._meta : {};
  return { ...params, _meta: { ...meta, progressToken } };
}

function tellProgress(
  { method, params }: ReceivedNotification,
  token: string | number | undefined,
  tell: NonNullable<TestRequestOptions["onProgress"]>,
): void {
  if (method !== "notifications/progress" || params.progressToken !== token) return;
  const { progressToken: _, ...report } = params;
  tell(report as object as ReceivedProgress);
}

function resultOf(method: string, answer: TestAnswer): JsonObject {
  if (answer.result === undefined) throw new RpcFailure(method, answer);
  return answer.result;
}
