/**
 * The official clients of both generations, over a socket and in both eras: they list, read, get and
 * complete, and check every answer against their own schemas.
 *
 * @module
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { McpServer, selectorSpec, unrestricted } from "@limen/mcp";
import { createServer } from "../../examples/conformance/server.ts";

/** What both clients have in common, as far as it is used here. */
type AnyClient = Pick<
  Client,
  | "close"
  | "complete"
  | "getPrompt"
  | "getServerCapabilities"
  | "listPrompts"
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
>;

async function connect(url: URL, mode: "legacy" | "auto"): Promise<AnyClient> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}

const CLIENTS: Readonly<Record<string, (url: URL) => Promise<AnyClient>>> = {
  "The official client, legacy": (url) => connect(url, "legacy"),
  "The official client, modern": (url) => connect(url, "auto"),
  "The first official client": async (url) => {
    const client = new Client1({ name: "test", version: "1.0.0" });
    await client.connect(new Transport1(url));
    return client as unknown as AnyClient;
  },
};

/** Five MiB that differ from one another. */
const BYTES = new Uint8Array(5 << 20).map((_, index) => (index * 31 + (index >> 8)) & 255);

function createBlobServer(): McpServer {
  const server = new McpServer({ name: "blobs", version: "1.0.0", maxResultBytes: 8 << 20 });
  const spec = selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: () => BYTES });
  server.registerResource(spec, { uri: "blob://big", name: "big", encoding: "blob" });
  return server;
}

for (const [title, open] of Object.entries(CLIENTS)) {
  const test = (
    claim: string,
    run: (client: AnyClient) => Promise<void>,
    create: () => McpServer = createServer,
  ): void => {
    Deno.test(`${title} ${claim}`, async () => {
      await using listener = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        create().fetch,
      );
      const client = await open(new URL(`http://127.0.0.1:${listener.addr.port}/mcp`));
      try {
        await run(client);
      } finally {
        await client.close();
      }
    });
  };

  test("hears of every capability", (client) => {
    const isModern = title.endsWith("modern");
    const extensions = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    assertEquals(client.getServerCapabilities(), {
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
      ...(isModern ? extensions : {}),
    });
    return Promise.resolve();
  });

  test("lists and reads resources", async (client) => {
    const { resources } = await client.listResources();
    assertEquals(resources.map(({ uri }) => uri), [
      "test://static-text",
      "test://static-binary",
      "test://watched-resource",
    ]);
    const { contents: [text] } = await client.readResource({ uri: "test://static-text" });
    assert(text !== undefined && "text" in text);
    assertEquals(text.mimeType, "text/plain");
    const { contents: [picture] } = await client.readResource({ uri: "test://static-binary" });
    assert(picture !== undefined && "blob" in picture);
    const { resourceTemplates } = await client.listResourceTemplates();
    assertEquals(resourceTemplates[0]?.uriTemplate, "test://template/{id}/data");
    const { contents: [row] } = await client.readResource({ uri: "test://template/1%202/data" });
    assert(row !== undefined && "text" in row);
    assertEquals(JSON.parse(row.text).id, "1 2");
  });

  test("hears of a resource that does not exist", async (client) => {
    // The second generation turns the legacy code into the modern one.
    const code = title.startsWith("The first") ? -32002 : -32602;
    const error = await assertRejects(() => client.readResource({ uri: "test://none" }), Error);
    assertEquals((error as Error & { readonly code?: unknown }).code, code);
  });

  test("lists and gets prompts", async (client) => {
    const { prompts } = await client.listPrompts();
    assertEquals(prompts.length, 5);
    const { messages } = await client.getPrompt({
      name: "test_prompt_with_arguments",
      arguments: { arg1: "a", arg2: "b" },
    });
    assertEquals(messages, [{
      role: "user",
      content: { type: "text", text: "Prompt with arguments: arg1='a', arg2='b'" },
    }]);
    const image = await client.getPrompt({ name: "test_prompt_with_image" });
    assertEquals(image.messages.map(({ content }) => content.type), ["image", "text"]);
  });

  test("completes prompts and templates", async (client) => {
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "testV" },
    });
    assertEquals(completion.values, ["testValue1"]);
    const ids = await client.complete({
      ref: { type: "ref/resource", uri: "test://template/{id}/data" },
      argument: { name: "id", value: "12" },
    });
    assertEquals(ids.completion.values, ["123", "124"]);
  });

  test("reads 5 MiB byte for byte", async (client) => {
    const { contents: [big] } = await client.readResource({ uri: "blob://big" });
    assert(big !== undefined && "blob" in big);
    const got = Uint8Array.from(atob(big.blob), (character) => character.charCodeAt(0));
    assertEquals(got.length, BYTES.length);
    assert(got.every((byte, index) => byte === BYTES[index]), "A byte differs");
  }, createBlobServer);
}
