/**
 * What a test of your own server needs: a client in the same process that speaks both eras, a clock
 * that stands still, and an assertion that results are what their tools advertise.
 *
 * Nothing here opens a port or a file, or sets a timer, and no server imports it.
 *
 * @example
 * ```ts
 * import { McpServer, unrestricted } from "@limen/mcp";
 * import { assertToolResultConforms, createTestClient } from "@limen/mcp/testing";
 * import * as z from "zod";
 *
 * const server = new McpServer({ name: "clock", version: "1.0.0" });
 * server.tool("today", {
 *   description: "Tells the date.",
 *   effect: "read",
 *   output: z.object({ date: z.iso.date() }),
 *   permissions: [unrestricted],
 * }, () => ({ date: new Date().toISOString().slice(0, 10) }));
 *
 * const client = createTestClient(server);
 * const [today] = await client.listTools();
 * assertToolResultConforms(today!, await client.callTool("today"));
 * ```
 *
 * @module
 */
export type { Clock } from "../ports/clock.ts";
export type {
  AudioBlock,
  ContentAnnotations,
  ContentBlock,
  ContentBlockBase,
  ImageBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
} from "../protocol/content.ts";
export type { ToolAnnotations } from "../protocol/descriptors.ts";
export type { JsonObject } from "../protocol/json.ts";
export type { RpcError } from "../protocol/rpc_error.ts";
export type { JsonSchema } from "../schema/json_schema_document.ts";
export type { AnswerQuestion, ReceivedQuestion } from "./answer_questions.ts";
export {
  type AdvertisedTool,
  assertToolResultConforms,
  type ReturnedResult,
} from "./assert_tool_result_conforms.ts";
export { ConformanceError } from "./conformance_error.ts";
export type { ConversationOptions } from "./conversation.ts";
export { createTestClient } from "./create_test_client.ts";
export { type FakeClock, fakeClock } from "./fake_clock.ts";
export type { TestServer, TransportOptions } from "./in_process_transport.ts";
export { RpcFailure } from "./rpc_failure.ts";
export type { ReceivedNotification, TestAnswer } from "./test_answer.ts";
export type {
  CalledResult,
  ListedTool,
  ReceivedProgress,
  TestClient,
  TestClientOptions,
  TestEra,
  TestRequestOptions,
} from "./test_client.ts";
