import { assertEquals, assertThrows } from "@std/assert";
import { McpServer, param, type ServerOptions, unrestricted } from "@limen/mcp";
import { createTestClient, fakeClock } from "@limen/mcp/testing";

const DAY = 24 * 60 * 60 * 1000;

function createServer(options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({ name: "s", version: "1.0.0", secret: "s".repeat(32), ...options });
  server.tool("wait", {
    description: "Waits.",
    effect: "read",
    reads: { ms: param.integer({ default: 0 }) },
    permissions: [unrestricted],
  }, async ({ args }) => {
    await new Promise((resolve) => setTimeout(resolve, args.ms));
    return "ok";
  });
  return server;
}

Deno.test("fakeClock() stands still until it is told", () => {
  const clock = fakeClock();
  assertEquals(clock.now(), 1767225600000);
  clock.advance(1500);
  clock.advance(-500);
  assertEquals(clock.now(), 1767225601000);
  assertThrows(() => clock.advance(NaN), RangeError, "Cannot advance clock: ms is NaN");
});

Deno.test("a server with a fake clock lets a legacy session expire when told", async () => {
  const clock = fakeClock();
  const server = createServer({ clock, sessionMaxAgeMs: 7 * DAY });
  const client = createTestClient(server, { era: "legacy" });
  await client.listTools();
  clock.advance(7 * DAY - 1);
  assertEquals((await client.request("tools/list")).status, 200);
  clock.advance(1);
  const answer = await client.request("tools/list");
  assertEquals([answer.status, answer.error?.code], [404, -32600]);
});

Deno.test("a server with a fake clock opens the stream of a call that takes long by it", async () => {
  const clock = fakeClock();
  const server = createServer({ clock, streamAfterMs: DAY, keepAliveMs: 10 });
  const client = createTestClient(server);
  const early = await client.request("tools/call", { name: "wait", arguments: { ms: 50 } });
  assertEquals(early.headers.get("content-type"), "application/json");
  const pending = client.request("tools/call", { name: "wait", arguments: { ms: 100 } });
  setTimeout(() => clock.advance(DAY), 20);
  const late = await pending;
  assertEquals(late.headers.get("content-type"), "text/event-stream");
  assertEquals(late.result?.content, [{ type: "text", text: "ok" }]);
});
