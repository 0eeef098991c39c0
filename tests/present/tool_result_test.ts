import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { McpServer, toolResult, unrestricted } from "@limen/mcp";
import { isBlockList, looksLikeToolResult } from "../../src/present/tool_result.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound } from "../_support/wire_sheet.ts";

for (
  const [title, options, message] of [
    ["content that is no list", { content: undefined }, "content must be"],
    ["a list of what is no block", { content: [5] }, "content must be"],
    ["a block without a type", { content: [{ text: "a" }] }, "content must be"],
    ["metadata that is a text", { content: [], meta: "a" }, "meta must be an object"],
    ["metadata that is a list", { content: [], meta: [] }, "meta must be an object"],
  ] as const
) {
  Deno.test(`toolResult() refuses ${title}`, () => {
    const error = assertThrows(() => toolResult(options as never), TypeError);
    assertStringIncludes(error.message, message);
  });
}

/** The answer of a tool that answers what the function does. */
async function answerOf(run: () => unknown) {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("t", { description: "Tests.", effect: "act", permissions: [unrestricted] }, run);
  const input = { method: "tools/call", params: { name: "t" } };
  const answer = await readAnswer(await server.fetch(mcpRequest("modern", input)));
  assertSound(answer, "tools/call");
  return answer.message?.result;
}

Deno.test("toolResult() is served as it was built", async () => {
  const result = await answerOf(() =>
    toolResult({
      content: [
        { type: "text", text: "a" },
        { type: "resource", resource: { uri: "x://a", text: "b" } },
      ],
      structuredContent: [1],
      isError: true,
      meta: { "example/key": 1 },
    })
  );
  assertEquals(result, {
    content: [
      { type: "text", text: "a" },
      { type: "resource", resource: { uri: "x://a", text: "b" } },
    ],
    isError: true,
    structuredContent: [1],
    resultType: "complete",
    _meta: {
      "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" },
      "example/key": 1,
    },
  });
});

Deno.test("toolResult() with metadata that would write itself as text stays an object", async () => {
  const result = await answerOf(() => toolResult({ content: [], meta: new Date(0) as never }));
  assertEquals(Object.keys(result._meta), ["io.modelcontextprotocol/serverInfo"]);
});

Deno.test("looksLikeToolResult() knows the shape of a result, and no other", () => {
  const block = { type: "text", text: "a" };
  const results = [{ content: [block] }, { content: [block], isError: true }];
  assertEquals(results.map(looksLikeToolResult), [true, true]);
  const others = [{ content: [] }, { content: [block, 5] }, { content: block }, [block], null, "a"];
  assertEquals(others.filter(looksLikeToolResult), []);
  assertEquals(isBlockList([]), true);
});
