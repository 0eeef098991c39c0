import { assertStringIncludes, assertThrows } from "@std/assert";
import { assertConforms, SPEC_SOURCES } from "./spec_schema.ts";

const tool = { name: "a", inputSchema: { type: "object" } };
const result = { resultType: "complete", tools: [tool], ttlMs: 0, cacheScope: "public" };
const response = { jsonrpc: "2.0", id: 1, result };

Deno.test(`assertConforms() takes what conforms [${SPEC_SOURCES}]`, () => {
  assertConforms(response, "tools/list");
  assertConforms({ ...response, result: { resultType: "complete", content: [] } }, "tools/call");
  assertConforms({ jsonrpc: "2.0", error: { code: -32700, message: "a" } }, "tools/list");
  const params = { progressToken: 0, progress: 1 };
  assertConforms({ jsonrpc: "2.0", method: "notifications/progress", params }, "tools/call");
});

const WRONG: readonly (readonly [title: string, message: object, method: string, says: string])[] =
  [
    ["an id that is null", { ...response, id: null }, "tools/list", "JSONRPCResultResponse"],
    ["another version", { ...response, jsonrpc: "1.0" }, "tools/list", "JSONRPCResultResponse"],
    [
      "a tool without a name",
      { ...response, result: { ...result, tools: [{ ...tool, name: undefined }] } },
      "tools/list",
      "ListToolsResult",
    ],
    [
      "an unknown block",
      { ...response, result: { resultType: "complete", content: [{ type: "x" }] } },
      "tools/call",
      "CallToolResult",
    ],
    [
      "an error without a message",
      { jsonrpc: "2.0", id: 1, error: { code: -1 } },
      "",
      "JSONRPCError",
    ],
    ["an unknown notification", { jsonrpc: "2.0", method: "x/y" }, "", "ServerNotification"],
  ];

for (const [title, message, method, says] of WRONG) {
  Deno.test(`assertConforms() refuses ${title} [${SPEC_SOURCES}]`, () => {
    const error = assertThrows(() => assertConforms(message, method), Error);
    assertStringIncludes(error.message, says);
  });
}

Deno.test({
  name: "assertConforms() refuses a result that only the specification's own schema refuses",
  ignore: SPEC_SOURCES === "core", // no copy of the schema lies beside the repository
  fn: () => {
    const { cacheScope: _, ...rest } = result;
    const error = assertThrows(
      () => assertConforms({ ...response, result: rest }, "tools/list"),
      Error,
    );
    assertStringIncludes(error.message, "cacheScope");
  },
});
