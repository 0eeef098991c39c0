/**
 * Section F of the wire cases: progress and cancellation. G-2: which tokens ask for it. G-3, G-6: frames,
 * in order, before the response. G-4 by the decisions: a stream opens late, after the gate.
 */
import { assertEquals } from "@std/assert";
import { unrestricted } from "@limen/mcp";
import { createFixture } from "../_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { type Message, readAnswer } from "../_support/read_answer.ts";
import {
  asLegacy,
  assertStillServes,
  testSheet,
  watchRejections,
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

testSheet([{
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
}], { maxProgressReports: 2 });

for (
  const [title, args, meta] of [
    ["before anything was answered", { ms: 5000 }, {}],
    ["while its stream is open", { ms: 5000, progress: 1 }, { progressToken: "t" }],
  ] as const
) {
  Deno.test(`B57 modern: a client that leaves ${title} cancels its call`, () =>
    watchRejections(async () => {
      const { server, hooks } = createFixture();
      const controller = new AbortController();
      const pending = server.fetch(mcpRequest("modern", {
        method: "tools/call",
        params: { name: "slow", arguments: args },
        meta,
        signal: controller.signal,
      }));
      await sleep(20);
      assertEquals(hooks.inFlight, 1);
      controller.abort();
      const response = await pending;
      await sleep(20);
      assertEquals(hooks, { ran: ["slow"], aborted: ["slow"], events: [], inFlight: 0 });
      await response.body?.cancel();
      await assertStillServes(server, "modern");
    }));
}

Deno.test("B57 modern: a reader that cancels the stream cancels its call", () =>
  watchRejections(async () => {
    const { server, hooks } = createFixture();
    const response = await server.fetch(mcpRequest("modern", {
      method: "tools/call",
      params: { name: "slow", arguments: { ms: 5000, progress: 1 } },
      meta: { progressToken: "t" },
    }));
    await response.body!.cancel();
    await sleep(20);
    assertEquals(hooks, { ran: ["slow"], aborted: ["slow"], events: [], inFlight: 0 });
    await assertStillServes(server, "modern");
  }));

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

for (const era of ["modern", "legacy"] as const) {
  Deno.test(`${era}: a fault after progress is the last event of the stream (G-8, ERR-10)`, () =>
    watchRejections(async () => {
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
      const params = { name: "reports_and_fails", _meta: { progressToken: "t" } };
      const input = era === "modern"
        ? { params: { name: params.name }, meta: params._meta }
        : { params };
      const answer = await readAnswer(
        await server.fetch(mcpRequest(era, { method: "tools/call", ...input })),
      );
      assertEquals([answer.status, answer.notifications.length], [200, 1]);
      const { code, message } = answer.message!.error;
      assertEquals([code, message], [-32603, "Internal error"]);
      assertEquals(answer.text.includes("secret"), false);
    }));
}
