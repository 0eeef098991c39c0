/**
 * The official client of the second generation, which puts a server's questions to its user, model and
 * host by itself, and calls again until it has a result.
 *
 * @module
 */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AdditionalInputRequired, McpServer, param, serviceSpec, unrestricted } from "@limen/mcp";
import { createServer } from "../../examples/conformance/server.ts";
import { SECRET } from "../_support/serve_asking.ts";

const permissions = [unrestricted];

/** What the client was asked, by method. */
type Heard = string[];

/** Connects a client to servers that take its requests in turn, as processes behind a balancer do. */
async function converse(
  servers: readonly McpServer[],
  run: (client: Client, heard: Heard) => Promise<void>,
  options: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } },
): Promise<void> {
  let turn = 0;
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => servers[turn++ % servers.length]!.fetch(request),
  );
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities, ...options });
  const heard: Heard = [];
  const declared = (options.capabilities ?? capabilities) as Partial<typeof capabilities>;
  if (declared.elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      heard.push(params.message);
      if (params.mode === "url") return { action: "accept" };
      const content = Object.entries(params.requestedSchema.properties).map(([name, field]) => {
        return [name, "type" in field && field.type === "boolean" ? true : `my ${name}`];
      });
      return { action: "accept", content: Object.fromEntries(content) };
    });
  }
  if (declared.sampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      heard.push(`${params.maxTokens} tokens`);
      return { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };
    });
    client.setRequestHandler("roots/list", () => {
      heard.push("roots");
      return { roots: [{ uri: "file:///work" }] };
    });
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${listener.addr.port}/mcp`)),
  );
  try {
    await run(client, heard);
  } finally {
    await client.close();
  }
}

const NAME = "What is your name?";

const TOOLS: readonly (readonly [tool: string, text: string, heard: Heard])[] = [
  ["elicitation", "Hello, my name!", [NAME]],
  ["sampling", "Paris", ["100 tokens"]],
  ["list_roots", "The client works on: file:///work", ["roots"]],
  ["request_state", 'state-ok: {"step":1}', ["Go on?"]],
  ["multiple_inputs", "Answered: accept, accept, accept", [NAME, "100 tokens", "roots"]],
  ["multi_round", "my name likes my color.", [NAME, "Which colour do you like?"]],
];

for (const count of [1, 2]) {
  const where = count === 1 ? "one process" : "two processes in turn";
  Deno.test(`The official client answers every kind of question by itself, of ${where}`, async () => {
    const servers = Array.from({ length: count }, () => createServer({ secret: SECRET }));
    await converse(servers, async (client, heard) => {
      for (const [tool, text, expected] of TOOLS) {
        const { content } = await client.callTool({
          name: `test_input_required_result_${tool}`,
          arguments: {},
        });
        assertEquals(content, [{ type: "text", text }]);
        assertEquals(heard.splice(0).sort(), [...expected].sort());
      }
      const { messages } = await client.getPrompt({ name: "test_input_required_result_prompt" });
      assertEquals(messages[0]?.content, { type: "text", text: "Context: my context" });
    });
  });
}

/** A server that needs arguments, consent, and a page to be opened. */
function createAsking(): McpServer {
  const server = new McpServer({ name: "s", version: "1", secret: SECRET, log: () => {} });
  server.registerTool(
    serviceSpec({
      reads: { city: param.string() },
      permissions,
      run: ({ args }) => {
        if (args.city !== undefined) return `To ${args.city}.`;
        throw new AdditionalInputRequired("Where to?", { city: param.string({ required: true }) });
      },
    }),
    { name: "travel", description: "Travels." },
  );
  server.tool("erase", {
    description: "Erases.",
    effect: "act",
    reads: { confirmed: param.boolean() },
    permissions,
  }, async ({ confirm }) => {
    await confirm("Erase everything?", "everything");
    return "Erased.";
  });
  return server;
}

Deno.test("The official client gives arguments and consent, each a round", async () => {
  await converse([createAsking()], async (client, heard) => {
    const travelled = await client.callTool({ name: "travel", arguments: {} });
    assertEquals(travelled.content, [{ type: "text", text: "To my city." }]);
    const erased = await client.callTool({ name: "erase", arguments: {} });
    assertEquals(erased.content, [{ type: "text", text: "Erased." }]);
    assertEquals(heard, ["Where to?", "Erase everything?"]);
  });
});

const UNABLE: readonly (readonly [title: string, options: ClientOptions])[] = [
  ["that opens URLs only", {
    capabilities: { elicitation: { url: {} } },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  }],
  ["of the legacy era", { capabilities: { elicitation: {} } }],
];

for (const [title, options] of UNABLE) {
  Deno.test(`A client ${title} is told what to send, and cannot confirm (E-20, B7)`, async () => {
    await converse([createAsking()], async (client, heard) => {
      const { content, isError } = await client.callTool({ name: "travel", arguments: {} });
      assertEquals(isError, true);
      const [block] = content;
      assert(block?.type === "text");
      assertEquals(JSON.parse(block.text).error, {
        type: "input_required",
        message: "Where to?",
        requestedInput: { city: { type: "string" } },
      });
      const sent = await client.callTool({ name: "travel", arguments: { city: "Rome" } });
      assertEquals(sent.content, [{ type: "text", text: "To Rome." }]);

      const erase = () => client.callTool({ name: "erase", arguments: { confirmed: true } });
      if (title.includes("URLs")) {
        const error = await assertRejects(erase, Error);
        assertEquals((error as Error & { readonly code?: unknown }).code, -32021);
      } else {
        const erased = await erase();
        assertEquals(erased.isError, true);
        assertStringIncludes(JSON.stringify(erased.content), "Erase everything?");
      }
      assertEquals(heard, []);
    }, options);
  });
}
