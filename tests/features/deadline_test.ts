/** H-70, H-71: the wait ends at the deadline, the work does not. */
import { assertEquals } from "@std/assert";
import { McpServer, param, selectorSpec, type ServerOptions, unrestricted } from "@limen/mcp";
import { createTestClient } from "@limen/mcp/testing";

const never = (): Promise<never> => new Promise(() => {});

function createServer(options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: "slow",
    version: "1.0.0",
    secret: "a secret of at least 32 bytes, for sessions",
    dispatchTimeoutMs: 30,
    log: () => {},
    ...options,
  } as ServerOptions);
  const permissions = [unrestricted];
  server.registerResource(
    selectorSpec({ kind: "retrieve", permissions, select: never }),
    { uri: "slow://row", name: "row" },
  );
  server.registerPrompt("slow", {
    reads: { word: param.string() },
    permissions,
    complete: { word: never },
  }, never);
  return server;
}

const CALLS: readonly (readonly [method: string, params: Record<string, unknown>])[] = [
  ["resources/read", { uri: "slow://row" }],
  ["prompts/get", { name: "slow" }],
  ["completion/complete", {
    ref: { type: "ref/prompt", name: "slow" },
    argument: { name: "word", value: "" },
  }],
];

for (const era of ["modern", "legacy"] as const) {
  for (const [method, params] of CALLS) {
    Deno.test(`${method} that never ends is answered at the deadline (${era})`, async () => {
      const events: string[] = [];
      const server = createServer({ log: ({ event }) => events.push(event) });
      await using client = createTestClient(server, { era });
      const { error } = await client.request(method, params);
      assertEquals(error, { code: -32603, message: `${method} took longer than 30 ms` });
      assertEquals(events, ["call.timeout"]);
      await server.close();
    });
  }
}

Deno.test("Authentication that never ends is 503 at the deadline", async () => {
  const server = createServer({ auth: { authenticate: never } });
  await using client = createTestClient(server, { era: "modern" });
  const { status, error } = await client.request("server/discover");
  assertEquals([status, error?.message], [503, "Authentication took too long"]);
  await server.close();
});
