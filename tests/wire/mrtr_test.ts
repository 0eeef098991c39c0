/** Multi-round-trip requests on the wire: what a hostile or clumsy client sends back (B85, B87). */
import { assertEquals } from "@std/assert";
import { McpServer, param, question, unrestricted } from "@limen/mcp";
import type { Endpoint } from "../_support/legacy_session.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { type Message, readAnswer } from "../_support/read_answer.ts";
import { assertSound, assertStillServes, type Reach, testLanes } from "../_support/wire_sheet.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const permissions = [unrestricted];

/** A server with a way to it, and what its tools did. */
interface Fixture extends Endpoint {
  readonly ran: string[];
}

async function open(reach: Reach): Promise<Fixture> {
  const ran: string[] = [];
  const secret = "a secret of the tests, 32 bytes!";
  const server = new McpServer({ name: "s", version: "1", secret, log: () => {} });
  server.tool("echo", { description: "E.", effect: "read", permissions }, () => "echo");
  for (const name of ["ask", "other"]) {
    server.tool(name, {
      description: "Asks.",
      effect: "act",
      reads: { n: param.integer() },
      permissions,
    }, ({ ask }) => {
      const { q } = ask({
        q: question.form("Your name?", { name: param.string({ required: true }) }),
      }, { state: 1 });
      ran.push(q.action);
      return q.action === "accept" ? q.content.name : q.action;
    });
  }
  const { fetch } = await reach(server);
  return { fetch, ran };
}

async function call(
  server: Endpoint,
  more: Message = {},
  { name = "ask", args = {} as unknown } = {},
): Promise<Message> {
  const request = mcpRequest("modern", {
    method: "tools/call",
    params: { name, arguments: args, ...more },
    meta: { [CAPABILITIES]: { elicitation: {} } },
  });
  const answer = await readAnswer(await server.fetch(request));
  assertEquals(answer.status, 200, answer.text);
  assertSound(answer, "tools/call");
  return answer.message!;
}

const YES = { q: { action: "accept", content: { name: "Ada" } } };
const ASKED = ["q"];

/** What comes of it: an error, what is asked, or a text. */
function outcome({ error, result }: Message): unknown {
  if (error !== undefined) return error.code;
  if (result.inputRequests !== undefined) return Object.keys(result.inputRequests);
  return result.content[0].text;
}

const RESPONSES: readonly (readonly [title: string, inputResponses: unknown, expected: unknown])[] =
  [
    ["a list", [], -32602],
    ["a text", "yes", -32602],
    ["null", null, -32602],
    ["a number as an answer", { q: 5 }, -32602],
    ["null as an answer", { q: null }, -32602],
    ["a list as an answer", { q: [] }, -32602],
    ["an answer that says nothing", { q: {} }, -32602],
    ["an action that there is not", { q: { action: "agree", content: {} } }, -32602],
    ["content that is no object", { q: { action: "accept", content: "Ada" } }, -32602],
    ["roots that are none", { q: { roots: [5] } }, -32602],
    ["nothing", {}, ASKED],
    ["another key", { other: { action: "accept" } }, ASKED],
    ["an inherited key", { toString: { action: "accept" } }, ASKED],
    ["an extra key beside", { ...YES, other: { action: "decline" } }, "Ada"],
    ["decline", { q: { action: "decline" } }, "decline"],
    ["decline with content", { q: { action: "decline", content: { name: "Ada" } } }, "decline"],
    ["cancel", { q: { action: "cancel" } }, "cancel"],
    ["content without the field", { q: { action: "accept", content: {} } }, ASKED],
    ["a field of another type", { q: { action: "accept", content: { name: 5 } } }, ASKED],
    ["no content", { q: { action: "accept" } }, ASKED],
    ["a field that was not asked for", {
      q: { action: "accept", content: { name: "Ada", role: "boss" } },
    }, "Ada"],
  ];

for (const [title, inputResponses, expected] of RESPONSES) {
  for (const withState of [true, false]) {
    const how = withState ? "with its state" : "without a state";
    testLanes(`B87 modern: inputResponses that are ${title}, ${how}`, async (reach) => {
      const server = await open(reach);
      const { requestState } = (await call(server)).result;
      const sent = withState ? { inputResponses, requestState } : { inputResponses };
      const told = await call(server, sent);
      assertEquals(outcome(told), expected);
      const done = expected === "Ada" ? "accept" : expected;
      assertEquals(server.ran, typeof expected === "string" ? [done] : []);
      await assertStillServes(server, "modern");
    });
  }
}

testLanes("B19 modern: a result that asks says nothing of caches", async (reach) => {
  const { result } = await call(await open(reach));
  assertEquals(Object.keys(result).sort(), [
    "_meta",
    "inputRequests",
    "requestState",
    "resultType",
  ]);
});

testLanes("B85 modern: a state with a character changed at each position", async (reach) => {
  const server = await open(reach);
  const { requestState } = (await call(server)).result;
  const answers = new Set<string>();
  for (let at = 0; at < requestState.length; at++) {
    const other = requestState[at] === "A" ? "B" : "A";
    const changed = requestState.slice(0, at) + other + requestState.slice(at + 1);
    const { error } = await call(server, { inputResponses: YES, requestState: changed });
    answers.add(JSON.stringify(error));
  }
  assertEquals([...answers], [
    '{"code":-32602,"message":"Invalid params: requestState is not valid for this request"}',
  ]);
  assertEquals(server.ran, []);
  assertEquals(outcome(await call(server, { inputResponses: YES, requestState })), "Ada");
});

const STATES: readonly (readonly [title: string, requestState: unknown, expected: unknown])[] = [
  ["an empty text", "", -32602],
  ["a number", 5, -32602],
  ["a list", [], -32602],
  ["an object", {}, -32602],
  ["false", false, -32602],
  ["8 KiB of text", "A".repeat(8192), -32602],
  ["64 KiB of text", "A".repeat(65536), -32602],
  ["null", null, ASKED],
];

for (const [title, requestState, expected] of STATES) {
  testLanes(`B85 modern: a state that is ${title}`, async (reach) => {
    const server = await open(reach);
    assertEquals(outcome(await call(server, { requestState })), expected);
    assertEquals(server.ran, []);
  });
}

testLanes("B85 modern: a state on another tool, and with other arguments", async (reach) => {
  const server = await open(reach);
  const { requestState } = (await call(server, {}, { args: { n: 1 } })).result;
  const sent = { inputResponses: YES, requestState };
  for (
    const to of [
      { name: "other", args: { n: 1 } },
      { args: { n: 2 } },
      { args: { n: "1" } },
      { args: {} },
    ]
  ) {
    assertEquals(outcome(await call(server, sent, to)), -32602);
  }
  assertEquals(server.ran, []);
  assertEquals(outcome(await call(server, sent, { args: { n: 1 } })), "Ada");
});

testLanes(
  "B85 modern: a tool that does not ask refuses what is no state all the same",
  async (reach) => {
    const server = await open(reach);
    const told = await call(server, { requestState: "AAAA" }, { name: "echo" });
    assertEquals(outcome(told), -32602);
    assertEquals(outcome(await call(server, { inputResponses: YES }, { name: "echo" })), "echo");
  },
);

testLanes("B85 legacy: nothing of it is looked at", async (reach) => {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("echo", { description: "E.", effect: "read", permissions }, () => "echo");
  const { fetch } = await reach(server);
  const request = mcpRequest("legacy", {
    method: "tools/call",
    params: { name: "echo", inputResponses: 5, requestState: 5 },
  });
  const { message } = await readAnswer(await fetch(request));
  assertEquals(message?.result.content[0].text, "echo");
});
