/**
 * The official client of the first generation, over a socket. It speaks the legacy era only and
 * checks every result against its own schemas.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Progress, Tool } from "@modelcontextprotocol/sdk/types.js";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createServer } from "../../examples/conformance/server.ts";

const SECRET = "a secret of more than thirty-two bytes";

interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly url: URL;
}

function test(
  title: string,
  secret: string | undefined,
  run: (connection: Connection) => Promise<void>,
): void {
  Deno.test(`The first official client ${title}`, async () => {
    const server = createServer(secret === undefined ? {} : { secret });
    await using listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      server.fetch,
    );
    const client = new Client({ name: "test", version: "1.0.0" });
    const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
    const transport = new StreamableHTTPClientTransport(url);
    await client.connect(transport);
    try {
      await run({ client, transport, url });
    } finally {
      await client.close();
    }
  });
}

for (const secret of [undefined, SECRET]) {
  const sessions = secret === undefined ? "without sessions" : "in a session";

  test(`${sessions} agrees on 2025-11-25`, secret, ({ client, transport }) => {
    assertEquals(transport.protocolVersion, "2025-11-25");
    assertEquals(client.getServerVersion(), { name: "conformance", version: "1.0.0" });
    assertEquals(client.getServerCapabilities()?.tools, {});
    return Promise.resolve();
  });

  test(`${sessions} pings`, secret, async ({ client }) => {
    assertEquals(await client.ping(), {});
  });

  test(`${sessions} lists the tools`, secret, async ({ client }) => {
    const { tools } = await client.listTools();
    assertEquals(tools[0]?.name, "test_simple_text");
    assertEquals(tools.every((tool: Tool) => tool.inputSchema.type === "object"), true);
  });

  test(`${sessions} calls a tool`, secret, async ({ client }) => {
    const { content } = await client.callTool({ name: "test_simple_text" });
    assertEquals(content, [
      { type: "text", text: "This is a simple text response for testing." },
    ]);
  });

  test(`${sessions} hears of progress`, secret, async ({ client }) => {
    const heard: unknown[] = [];
    await client.callTool({ name: "test_tool_with_progress" }, undefined, {
      onprogress: ({ progress, total }: Progress) => heard.push([progress, total]),
    });
    assertEquals(heard, [[0, 100], [50, 100], [100, 100]]);
  });

  test(`${sessions} gets failures and refused arguments as results`, secret, async ({ client }) => {
    const failed = await client.callTool({ name: "test_error_handling" });
    assertEquals(failed.isError, true);
    const refused = await client.callTool({
      name: "test_simple_text",
      arguments: { surplus: 1 },
    });
    assertEquals(refused.isError, true);
  });

  test(`${sessions} gets -32602 for a tool that does not exist`, secret, async ({ client }) => {
    const error = await assertRejects(() => client.callTool({ name: "nope" }), Error);
    assertEquals((error as Error & { readonly code?: unknown }).code, -32602);
  });
}

test("gets no session from a server without a secret", undefined, ({ transport }) => {
  assertEquals(transport.sessionId, undefined);
  return Promise.resolve();
});

test("gets 404 for a session that it has ended", SECRET, async ({ transport, url }) => {
  const { sessionId = "" } = transport;
  assertMatch(sessionId, /^[\x21-\x7E]{1,200}$/);
  await transport.terminateSession();

  const late = new Client({ name: "test", version: "1.0.0" });
  await late.connect(new StreamableHTTPClientTransport(url, { sessionId }));
  const error = await assertRejects(() => late.listTools(), Error);
  assertEquals((error as Error & { readonly code?: unknown }).code, 404);
  await late.close();
});
