/** Section E of the wire cases: framing of streams, and text. */
import { assert, assertEquals } from "@std/assert";
import { createFixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer, readEvents } from "../_support/read_answer.ts";
import {
  asLegacy,
  assertStillServes,
  testLanes,
  testSheet,
  type WireCase,
} from "../_support/wire_sheet.ts";

const SEPARATORS = "a\u2028b\u2029c\u0085d";

function call(name: string, args: Readonly<Record<string, unknown>> = {}): McpInput {
  return { method: "tools/call", params: { name, arguments: args } };
}

const slow: McpInput = {
  ...call("slow", { ms: 120, progress: 1 }),
  meta: { progressToken: "t" },
};

const cases: readonly WireCase[] = [
  {
    id: "B47",
    title: "line separators are escaped in a JSON answer",
    era: "modern",
    input: call("echo", { text: SEPARATORS }),
    expected: {
      status: 200,
      headers: { "content-type": "application/json" },
      message: { id: 1, result: { content: [{ type: "text", text: SEPARATORS }] } },
      ran: ["echo"],
      check: ({ text }) => {
        assert(text.includes("a\\u2028b\\u2029c\\u0085d"));
        assert(!/[\u0085\u2028\u2029]/.test(text));
      },
    },
  },
  {
    id: "B47",
    title: "line separators are escaped in structured content, its text and the id",
    era: "modern",
    input: { ...call("structured", { v: SEPARATORS }), id: SEPARATORS },
    expected: {
      status: 200,
      message: {
        id: SEPARATORS,
        result: {
          structuredContent: { v: SEPARATORS },
        },
      },
      ran: ["structured"],
      check: ({ text, message }) => {
        assert(!/[\u0085\u2028\u2029]/.test(text));
        assertEquals(JSON.parse(message?.result.content[0].text), { v: SEPARATORS });
      },
    },
  },
  {
    id: "B47",
    title: "line separators do not break the events of a stream",
    era: "modern",
    input: {
      ...call("progress", { values: [1] }),
      id: SEPARATORS,
      meta: { progressToken: SEPARATORS },
    },
    expected: {
      status: 200,
      headers: { "content-type": "text/event-stream" },
      message: { id: SEPARATORS, result: {} },
      ran: ["progress"],
      notifications: [{
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: SEPARATORS, progress: 1, total: 10, message: "at 1" },
      }],
      check: ({ text }) => assert(!/[\u0085\u2028\u2029]/.test(text)),
    },
  },
  {
    id: "B49",
    title: "half of a surrogate pair in a text is U+FFFD",
    era: "modern",
    input: call("lone_text"),
    expected: {
      status: 200,
      message: { id: 1, result: { content: [{ type: "text", text: "ab\ufffd" }] } },
      ran: ["lone_text"],
    },
  },
  {
    id: "B49",
    title: "NUL in a text arrives",
    era: "modern",
    input: call("nul_text"),
    expected: {
      status: 200,
      message: { id: 1, result: { content: [{ type: "text", text: "\u0000" }] } },
      ran: ["nul_text"],
      check: ({ text }) => assert(text.includes("\\u0000")),
    },
  },
  {
    id: "B49",
    title: "halves of surrogate pairs in keys and values are U+FFFD, in the text as well",
    era: "modern",
    input: call("lone_inside"),
    expected: {
      status: 200,
      message: {
        id: 1,
        result: {
          content: [{
            type: "text",
            text: '{"key\ufffd":"value\ufffd","nested":["\ufffd"]}',
          }],
          structuredContent: { "key\ufffd": "value\ufffd", nested: ["\ufffd"] },
        },
      },
      ran: ["lone_inside"],
    },
  },
  {
    id: "B51",
    title: "a stream forbids buffers and caches",
    era: "modern",
    input: { ...call("progress", { values: [1] }), meta: { progressToken: 1 } },
    expected: {
      status: 200,
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
        "x-accel-buffering": "no",
        vary: "Origin",
      },
      message: { id: 1, result: {} },
      ran: ["progress"],
      notifications: [{
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 1, progress: 1, total: 10, message: "at 1" },
      }],
    },
  },
];

testSheet([...cases, ...asLegacy(cases)]);

for (const era of ["modern", "legacy"] as const) {
  testLanes(
    `B51 ${era}: an idle stream is kept alive, and nothing follows the response`,
    async (reach) => {
      const lane = await reach(createFixture({ keepAliveMs: 20 }).server);
      const answer = await readAnswer(await lane.fetch(mcpRequest(era, slow)));
      const comments = answer.text.split("\n\n").filter((event) => event === ": keepalive");
      assert(comments.length >= 2, answer.text);
      assert(answer.text.trimEnd().split("\n").at(-1)!.startsWith("data: "));
      assertEquals(answer.message?.result.content, [{ type: "text", text: "done" }]);
      await assertStillServes(lane, era);
    },
  );

  testLanes(`B51 ${era}: a call that takes long becomes a stream`, async (reach) => {
    const { server } = createFixture({ streamAfterMs: 20, keepAliveMs: 1000 });
    const { fetch } = await reach(server);
    const response = await fetch(mcpRequest(era, call("slow", { ms: 120 })));
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    const answer = await readAnswer(response);
    assert(answer.text.startsWith(": keepalive\n\n"), answer.text);
    assertEquals(answer.message?.result.content, [{ type: "text", text: "done" }]);
  });

  for (
    const [title, options, headers] of [
      ["where streams are off", { streaming: "never" }, {}],
      ["for a client that reads JSON only", {}, { accept: "application/json" }],
    ] as const
  ) {
    testLanes(`B51 ${era}: a call that takes long stays JSON ${title}`, async (reach) => {
      const { fetch } = await reach(createFixture({ streamAfterMs: 20, ...options }).server);
      const answer = await readAnswer(await fetch(mcpRequest(era, { ...slow, headers })));
      assertEquals(answer.headers.get("content-type"), "application/json");
      assertEquals(answer.message?.result.content, [{ type: "text", text: "done" }]);
    });
  }

  testLanes(`B52 ${era}: a stream ends right after the response`, async (reach) => {
    const lane = await reach(createFixture().server);
    const input: McpInput = {
      ...call("progress", { values: [1, 2] }),
      meta: { progressToken: "t" },
    };
    const response = await lane.fetch(mcpRequest(era, input));
    const events = readEvents(await response.text());
    assertEquals(events.map((one) => one.method ?? one.id), [
      "notifications/progress",
      "notifications/progress",
      1,
    ]);
    await assertStillServes(lane, era);
  });
}
