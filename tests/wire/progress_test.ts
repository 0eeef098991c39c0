/**
 * Section F of the wire cases: progress and cancellation. G-2: which tokens ask for it. G-3, G-6: frames,
 * in order, before the response. G-4 by the decisions: a stream opens late, after the gate.
 */
import { assert, assertEquals } from "@std/assert";
import { unrestricted } from "@limen/mcp";
import { createFixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { type Message, readAnswer } from "../_support/read_answer.ts";
import { until } from "../_support/until.ts";
import {
  asLegacy,
  assertStillServes,
  testLanes,
  testSheet,
  type WireCase,
} from "../_support/wire_sheet.ts";

function progress(values: readonly number[], token?: unknown): McpInput {
  return {
    method: "tools/call",
    params: { name: "progress", arguments: { values } },
    meta: { progressToken: token },
  };
}

function notification(progressToken: unknown, value: number): Message {
  return {
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken, progress: value, total: 10, message: `at ${value}` },
  };
}

const cases: readonly WireCase[] = [
  ...[0, "", "1", 1, -7].map((token): WireCase => ({
    id: "B54",
    title: `the token ${JSON.stringify(token)} comes back as it is`,
    era: "modern",
    input: progress([1, 2], token),
    expected: {
      status: 200,
      headers: { "content-type": "text/event-stream" },
      message: { id: 1, result: { content: [{ type: "text", text: "done" }] } },
      ran: ["progress"],
      notifications: [notification(token, 1), notification(token, 2)],
    },
  })),
  {
    id: "B54", // G-5
    title: "a report that does not increase is left out",
    era: "modern",
    input: progress([2, 1, 2, 3], "t"),
    expected: {
      status: 200,
      message: { id: 1, result: {} },
      ran: ["progress"],
      notifications: [notification("t", 2), notification("t", 3)],
    },
  },
  ...[undefined, null, 1.5, {}, [], true].map((token): WireCase => ({
    id: "B55",
    title: `the token ${JSON.stringify(token)} asks for no progress`,
    era: "modern",
    input: progress([1, 2], token),
    expected: {
      status: 200,
      headers: { "content-type": "application/json" },
      message: { id: 1, result: { content: [{ type: "text", text: "done" }] } },
      ran: ["progress"],
    },
  })),
];

testSheet([...cases, ...asLegacy(cases)]);

const ceiling: readonly WireCase[] = [{
  id: "B54",
  title: "reports over the ceiling are left out",
  era: "modern",
  input: progress([1, 2, 3], "t"),
  expected: {
    status: 200,
    message: { id: 1, result: {} },
    ran: ["progress"],
    notifications: [notification("t", 1), notification("t", 2)],
  },
}];

testSheet([...ceiling, ...asLegacy(ceiling)], { maxProgressReports: 2 });

for (
  const [title, args, meta] of [
    ["before anything was answered", { ms: 20_000 }, {}],
    ["while its stream is open", { ms: 20_000, progress: 1 }, { progressToken: "t" }],
  ] as const
) {
  testLanes(`B57 modern: a client that leaves ${title} cancels its call`, async (reach) => {
    const { server, hooks } = createFixture();
    const lane = await reach(server);
    const client = new AbortController();
    const request = mcpRequest("modern", {
      method: "tools/call",
      params: { name: "slow", arguments: args },
      meta,
      signal: client.signal,
    });
    const left = lane.fetch(request).then((response) => response.text()).catch(() => {});
    await until(() => hooks.inFlight === 1);
    client.abort();
    await until(() => hooks.inFlight === 0);
    assertEquals(hooks, { ran: ["slow"], aborted: ["slow"], events: [], inFlight: 0 });
    await left;
    await assertStillServes(lane, "modern");
  });
}

testLanes("B57 modern: fifty clients that leave are all forgotten", async (reach) => {
  const { server, hooks } = createFixture({ limits: { perCaller: { maxInFlight: 50 } } });
  const lane = await reach(server);
  const client = new AbortController();
  const request = () =>
    mcpRequest("modern", {
      method: "tools/call",
      params: { name: "slow", arguments: { ms: 20_000 } },
      signal: client.signal,
    });
  const left = Array.from({ length: 50 }, () => lane.fetch(request()).catch(() => {}));
  await until(() => hooks.inFlight === 50);
  client.abort();
  await until(() => hooks.inFlight === 0);
  await Promise.all(left);
  assertEquals([hooks.aborted.length, hooks.events], [50, []]);
  await assertStillServes(lane, "modern");
});

testLanes("B57 modern: a reader that cancels the stream cancels its call", async (reach) => {
  const { server, hooks } = createFixture();
  const lane = await reach(server);
  const response = await lane.fetch(mcpRequest("modern", {
    method: "tools/call",
    params: { name: "slow", arguments: { ms: 20_000, progress: 1 } },
    meta: { progressToken: "t" },
  }));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert((await reader.read()).value?.includes("notifications/progress"));
  assertEquals([hooks.inFlight, hooks.aborted], [1, []]);
  await reader.cancel();
  await until(() => hooks.inFlight === 0);
  assertEquals(hooks, { ran: ["slow"], aborted: ["slow"], events: [], inFlight: 0 });
  await assertStillServes(lane, "modern");
});

for (const era of ["modern", "legacy"] as const) {
  testLanes(`${era}: a fault after progress ends the stream (G-8, ERR-10)`, async (reach) => {
    const { server } = createFixture();
    server.tool("reports_and_fails", {
      description: "Reports, then throws.",
      effect: "act",
      permissions: [unrestricted],
    }, async ({ progress }) => {
      progress(1);
      await Promise.resolve();
      throw new Error("secret-text");
    });
    const { fetch } = await reach(server);
    const params = { name: "reports_and_fails" };
    const input = { method: "tools/call", params, meta: { progressToken: "t" } };
    const answer = await readAnswer(await fetch(mcpRequest(era, input)));
    assertEquals([answer.status, answer.notifications.length], [200, 1]);
    const { code, message } = answer.message!.error;
    assertEquals([code, message], [-32603, "Internal error"]);
    assertEquals(answer.text.includes("secret"), false);
  });
}
