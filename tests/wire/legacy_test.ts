/**
 * What only legacy clients do: initialize, ping, sessions and cancellation (B15, B16, B18, B41, B59).
 * H-50: which revision is agreed on. H-53: which methods there are.
 */
import { assert, assertEquals } from "@std/assert";
import type { ServerOptions } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { createFixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { until } from "../_support/until.ts";
import {
  assertSound,
  type Reach,
  testLanes,
  testSheet,
  type WireCase,
} from "../_support/wire_sheet.ts";

function initialize(protocolVersion: unknown, headers: McpInput["headers"] = {}): McpInput {
  return {
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } },
    headers: { "mcp-protocol-version": null, ...headers },
  };
}

function agreed(protocolVersion: string): WireCase["expected"] {
  return {
    status: 200,
    headers: { "mcp-session-id": null },
    message: {
      id: 1,
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "fixture", version: "1.0.0" },
      },
    },
  };
}

const cases: readonly WireCase[] = [
  ...["2099-01-01", "1999-01-01", "not-a-date", "2026-07-28", ""].map((version): WireCase => ({
    id: "B15",
    title: `initialize with version ${JSON.stringify(version)} is offered another`,
    era: "legacy",
    input: initialize(version),
    expected: agreed("2025-11-25"),
  })),
  {
    id: "B15",
    title: "initialize does not mind its version header",
    era: "legacy",
    input: initialize("2099-01-01", { "mcp-protocol-version": "2099-01-01" }),
    expected: agreed("2025-11-25"),
  },
  ...["2025-06-18", "2025-11-25"].map((version): WireCase => ({
    id: "B16",
    title: `initialize with version ${version} is agreed to`,
    era: "legacy",
    input: initialize(version),
    expected: agreed(version),
  })),
  {
    id: "B15",
    title: "initialize without a version is -32602",
    era: "legacy",
    input: initialize(5),
    expected: { status: 200, message: { id: 1, error: { code: -32602 } } },
  },
  {
    id: "B18",
    title: "ping is answered",
    era: "legacy",
    input: { method: "ping" },
    expected: {
      status: 200,
      message: { id: 1 },
      check: ({ message }) => assertEquals(message?.result, {}),
    },
  },
  ...["nope/nope", "__proto__", "resources/list"].map((method): WireCase => ({
    id: "B18",
    title: `${method} is -32601 on 200`, // H-27
    era: "legacy",
    input: { method },
    expected: { status: 200, message: { id: 1, error: { code: -32601 } } },
  })),
  {
    id: "B19",
    title: "tools/list has no member of the modern era",
    era: "legacy",
    input: {},
    expected: {
      status: 200,
      message: { id: 1, result: {} },
      check: ({ message }) => assertEquals(Object.keys(message!.result), ["tools", "nextCursor"]),
    },
  },
  {
    id: "B02",
    title: "a request without a version is 400 where there are no sessions",
    era: "legacy",
    input: { headers: { "mcp-protocol-version": null } },
    expected: { status: 400, message: { id: 1, error: { code: -32600 } } },
  },
  {
    id: "B12",
    title: "a version that nobody speaks is 400",
    era: "legacy",
    input: { headers: { "mcp-protocol-version": "2099-01-01" } },
    expected: { status: 400, message: { id: 1, error: { code: -32600 } } },
  },
  {
    id: "B43",
    title: "a session id that a client made up is ignored where there are no sessions",
    era: "legacy",
    input: { headers: { "mcp-session-id": "attacker" } },
    expected: { status: 200, headers: { "mcp-session-id": null }, message: { id: 1, result: {} } },
  },
  {
    id: "B43",
    title: "a session id is ignored in the modern era", // H-14
    era: "modern",
    input: { headers: { "mcp-session-id": "x" } },
    expected: { status: 200, headers: { "mcp-session-id": null }, message: { id: 1, result: {} } },
  },
];

testSheet(cases);

const SECRET = "a secret of more than thirty-two bytes";

/** A server that keeps sessions, and the id of a fresh one. */
async function open(reach: Reach, options: Partial<ServerOptions> = {}) {
  const { server, hooks } = createFixture({ secret: SECRET, ...options });
  const { fetch } = await reach(server);
  const begin = async (headers: McpInput["headers"] = {}): Promise<string> => {
    const request = mcpRequest("legacy", initialize("2025-11-25", headers));
    const answer = await readAnswer(await fetch(request));
    assertSound(answer, "initialize", "legacy");
    return answer.headers.get("mcp-session-id")!;
  };
  const id = await begin();
  const send = (input: McpInput, session: string | null = id): Promise<Response> =>
    fetch(mcpRequest("legacy", {
      ...input,
      headers: { "mcp-session-id": session, ...input.headers },
    }));
  return { hooks, id, begin, send };
}

testLanes("B41 legacy: an unknown session is 404, a missing one 400", async (reach) => {
  const { send } = await open(reach, { broker: memoryBroker() });
  for (const verb of ["POST", "GET", "DELETE"]) {
    const answer = await readAnswer(await send({ verb }, "gone"));
    assertEquals(answer.status, 404, verb);
    assertSound(answer, "tools/list", "legacy");
  }
  assertEquals((await send({}, null)).status, 400);
  assertEquals((await send({})).status, 200);
});

testLanes("B41 legacy: a session that was ended is 404", async (reach) => {
  const { send } = await open(reach);
  assert((await send({ verb: "DELETE" })).ok);
  assertEquals((await send({})).status, 404);
});

testLanes("B43 legacy: initialize mints an id of its own, of visible characters", async (reach) => {
  const { id, begin, send } = await open(reach);
  const other = await begin({ "mcp-session-id": "attacker" });
  for (const one of [id, other]) assert(/^[\x21-\x7E]{40,200}$/.test(one), one);
  assert(id !== other && other !== "attacker");
  const flipped = id.slice(0, -3) + (id.at(-3) === "A" ? "B" : "A") + id.slice(-2);
  assertEquals((await send({}, flipped)).status, 404);
});

testLanes("B45: a second client initializes, and others need no session", async (reach) => {
  const { fetch } = await reach(createFixture().server);
  for (const input of [initialize("2025-11-25"), initialize("2025-11-25"), {}]) {
    assertEquals((await fetch(mcpRequest("legacy", input))).status, 200);
  }
  assertEquals((await fetch(mcpRequest("modern"))).status, 200);
});

for (
  const [title, args, _meta] of [
    ["before anything was answered", { ms: 60 }, {}],
    ["while its stream is open", { ms: 60, progress: 1 }, { progressToken: "t" }],
  ] as const
) {
  testLanes(`B57 legacy: a client that leaves ${title} does not cancel its call`, async (reach) => {
    const { hooks, send } = await open(reach);
    const client = new AbortController();
    const params = { name: "slow", arguments: args, _meta };
    const left = send({ method: "tools/call", params, signal: client.signal })
      .then((response) => response.text()).catch(() => {});
    await until(() => hooks.inFlight === 1);
    client.abort();
    await left;
    await until(() => hooks.inFlight === 0);
    assertEquals(hooks, { ran: ["slow"], aborted: [], events: [], inFlight: 0 });
    assertEquals((await send({})).status, 200);
  });
}

testLanes("B59 legacy: a cancelled request is told once, and is not answered", async (reach) => {
  const { hooks, id, begin, send } = await open(reach);
  const cancel = async (requestId: unknown, session = id): Promise<void> => {
    const input = { id: null, method: "notifications/cancelled", params: { requestId } };
    const response = await send(input, session);
    assertEquals([response.status, await response.text()], [202, ""]);
  };
  const params = { name: "slow", arguments: { ms: 20_000 } };
  const pending = send({ id: 5, method: "tools/call", params });
  await until(() => hooks.inFlight === 1);
  await cancel(5, await begin()); // another session's 5
  for (const foreign of ["5", 999, undefined, null, {}]) await cancel(foreign);
  assertEquals([hooks.aborted, hooks.inFlight], [[], 1]);
  await cancel(5);
  await cancel(5);
  const answer = await readAnswer(await pending);
  assertEquals([answer.text, answer.message], ["", undefined]);
  await until(() => hooks.inFlight === 0);
  assertEquals([hooks.aborted, hooks.events], [["slow"], []]);
});
