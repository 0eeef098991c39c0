/** The reference client, pinned to the modern revision, over a socket. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createFixture, type Hooks } from "../_support/fixture_server.ts";
import { type Message, readAnswer } from "../_support/read_answer.ts";
import { assertConforms, SPEC_SOURCES } from "../_support/spec_schema.ts";
import { watchRejections } from "../_support/wire_sheet.ts";

/** A connected client, what its server saw, and what it was sent. */
interface Session {
  readonly client: Client;
  readonly hooks: Hooks;
  /** Every message that the client received, by the method that was asked for. */
  readonly received: readonly (readonly [method: string, message: Message])[];
}

const PINNED: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } };

/** Runs a client against a fresh server; every message it got must conform. */
function session(title: string, run: (session: Session) => Promise<void>): void {
  Deno.test(`Client 2.4.0 modern: ${title} [${SPEC_SOURCES}]`, () =>
    watchRejections(async () => {
      const { server, hooks } = createFixture();
      const listener = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        server.fetch,
      );
      const received: [string, Message][] = [];
      const watched: Promise<unknown>[] = [];
      const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
      const transport = new StreamableHTTPClientTransport(url, {
        fetch: async (input, init) => {
          const request = new Request(input, init);
          const method = request.headers.get("mcp-method") ?? request.method;
          const response = await fetch(request);
          watched.push(
            readAnswer(response.clone()).then(({ notifications, message }) => {
              for (const one of [...notifications, message]) {
                if (one !== undefined) received.push([method, one]);
              }
            }, () => {}), // the client left
          );
          return response;
        },
      });
      const client = new Client({ name: "test", version: "1.0.0" }, PINNED);
      try {
        await client.connect(transport);
        await Promise.all(watched);
        await run({ client, hooks, received });
      } finally {
        await client.close();
        await Promise.all(watched);
        await listener.shutdown();
      }
      for (const [method, message] of received) assertConforms(message, method);
      assert(received.length > 0);
    }));
}

session("discovers who the server is, and in which revision it speaks", ({ client, received }) => {
  assertEquals(client.getNegotiatedProtocolVersion(), "2026-07-28");
  assertEquals(client.getServerVersion(), { name: "fixture", version: "1.0.0" });
  assertEquals(client.getServerCapabilities(), { tools: {} });
  assertEquals(received.map(([method]) => method), ["server/discover"]);
  return Promise.resolve();
});

session("lists the tools", async ({ client }) => {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assertEquals(names.slice(0, 2), ["echo", "slow"]);
});

session("calls a tool, and gets text and structure", async ({ client, hooks }) => {
  const echoed = await client.callTool({ name: "echo", arguments: { text: "a\u2028\u00fc" } });
  assertEquals(echoed.content, [{ type: "text", text: "a\u2028\u00fc" }]);
  const structured = await client.callTool({ name: "structured", arguments: { v: "x" } });
  assertEquals(structured.structuredContent, { v: "x" });
  assertEquals(hooks.ran, ["echo", "structured"]);
});

session("mirrors the arguments that ask for it, and is served", async ({ client, hooks }) => {
  await client.listTools(); // it learns the annotations here
  const args = { n: 42, v: "\u00fc ", a: { b: -7 } };
  const result = await client.callTool({ name: "hdr", arguments: args });
  assertEquals(result.structuredContent, args);
  assertEquals(hooks.ran, ["hdr"]);
});

session("receives the progress that it asked for", async ({ client }) => {
  const reports: unknown[] = [];
  const result = await client.callTool(
    { name: "progress", arguments: { values: [1, 2] } },
    { onprogress: (report) => reports.push(report) },
  );
  assertEquals(result.content, [{ type: "text", text: "done" }]);
  assertEquals(reports, [
    { progress: 1, total: 10, message: "at 1" },
    { progress: 2, total: 10, message: "at 2" },
  ]);
});

session("is told of failures in the form of each", async ({ client, hooks }) => {
  const refused = await client.callTool({ name: "refuse", arguments: {} });
  assertEquals([refused.isError, hooks.events], [true, []]);
  const invalid = await client.callTool({ name: "echo", arguments: {} });
  assertEquals(invalid.isError, true);
  const unknown = await assertRejects(() => client.callTool({ name: "nope", arguments: {} }));
  assertEquals((unknown as { code?: number }).code, -32602);
  await assertRejects(() => client.callTool({ name: "fail", arguments: {} }));
  assertEquals(hooks.events.map(({ event }) => event), ["call.fault"]);
});

session("cancels its call when it leaves", async ({ client, hooks }) => {
  const controller = new AbortController();
  const pending = client.callTool(
    { name: "slow", arguments: { ms: 20_000 } },
    { signal: controller.signal },
  );
  const rejected = assertRejects(() => pending);
  for (let i = 0; i < 200 && hooks.inFlight === 0; i++) await sleep(5);
  controller.abort();
  await rejected;
  for (let i = 0; i < 400 && hooks.inFlight > 0; i++) await sleep(5);
  assertEquals([hooks.aborted, hooks.inFlight], [["slow"], 0]);
  const echoed = await client.callTool({ name: "echo", arguments: { text: "still here" } });
  assertEquals(echoed.content, [{ type: "text", text: "still here" }]);
});

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
