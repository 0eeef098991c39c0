/**
 * The official client of the second generation, over a socket: it speaks the legacy era unless it is
 * told to find out.
 *
 * @module
 */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { assertEquals, assertRejects } from "@std/assert";
import { createServer } from "../../examples/conformance/server.ts";

const MODES: readonly {
  readonly title: string;
  readonly options: ClientOptions;
  readonly era: "legacy" | "modern";
  readonly revision: string;
}[] = [
  { title: "by default", options: {}, era: "legacy", revision: "2025-11-25" },
  {
    title: 'in mode "auto"',
    options: { versionNegotiation: { mode: "auto" } },
    era: "modern",
    revision: "2026-07-28",
  },
];

for (const { title, options, era, revision } of MODES) {
  const test = (claim: string, run: (client: Client) => Promise<void>): void => {
    Deno.test(`The official client ${title} ${claim}`, async () => {
      const server = createServer();
      await using listener = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        server.fetch,
      );
      const client = new Client({ name: "test", version: "1.0.0" }, options);
      const url = new URL(`http://127.0.0.1:${listener.addr.port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url));
      try {
        await run(client);
      } finally {
        await client.close();
      }
    });
  };

  test(`speaks ${revision}`, (client) => {
    assertEquals(client.getProtocolEra(), era);
    assertEquals(client.getNegotiatedProtocolVersion(), revision);
    assertEquals(client.getServerVersion(), { name: "conformance", version: "1.0.0" });
    return Promise.resolve();
  });

  test("lists the tools", async (client) => {
    const { tools } = await client.listTools();
    assertEquals(tools[0]?.name, "test_simple_text");
    assertEquals(tools.every(({ inputSchema }) => inputSchema.type === "object"), true);
  });

  test("calls a tool", async (client) => {
    const { content, isError } = await client.callTool({ name: "test_simple_text" });
    assertEquals(content, [
      { type: "text", text: "This is a simple text response for testing." },
    ]);
    assertEquals(isError ?? false, false);
  });

  test("hears of progress", async (client) => {
    const heard: unknown[] = [];
    await client.callTool({ name: "test_tool_with_progress" }, {
      onprogress: ({ progress, total }) => heard.push([progress, total]),
    });
    assertEquals(heard, [[0, 100], [50, 100], [100, 100]]);
  });

  test("gets the failure of a tool as a result", async (client) => {
    const { isError } = await client.callTool({ name: "test_error_handling" });
    assertEquals(isError, true);
  });

  test("gets refused arguments as a result", async (client) => {
    const { isError } = await client.callTool({
      name: "test_simple_text",
      arguments: { surplus: 1 },
    });
    assertEquals(isError, true);
  });

  test("gets -32602 for a tool that does not exist", async (client) => {
    const error = await assertRejects(() => client.callTool({ name: "nope" }), Error);
    assertEquals((error as Error & { readonly code?: unknown }).code, -32602);
  });

  test("gets -32021 for a tool that asks for more of it", async (client) => {
    const error = await assertRejects(
      () => client.callTool({ name: "test_missing_capability" }),
      Error,
    );
    assertEquals((error as Error & { readonly code?: unknown }).code, -32021);
  });
}
