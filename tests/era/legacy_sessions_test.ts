/** Legacy results and sessions: what is wrapped, who owns a session, and when it ends (B2 to B4). */
import { assert, assertEquals } from "@std/assert";
import { McpServer, selectorSpec, staticTokens, unrestricted } from "@limen/mcp";
import { z } from "zod";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound } from "../_support/wire_sheet.ts";

const initialize: McpInput = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {}, roots: {}, sampling: {} },
    clientInfo: { name: "c", version: "1" },
  },
};

/** A server with two users and one tool for each kind of value. */
function createServer(): McpServer {
  const server = new McpServer({
    name: "s",
    version: "1",
    secret: "a secret of more than thirty-two bytes",
    auth: staticTokens([
      { token: "token-of-ada-00000", user: { id: "ada", authenticated: true } },
      { token: "token-of-bob-00000", user: { id: "bob", authenticated: true } },
    ]),
  });
  const values = { list: [], number: 0, boolean: false };
  for (const [name, value] of Object.entries(values)) {
    const output = { list: z.array(z.string()), number: z.number(), boolean: z.boolean() }[name]!;
    const spec = selectorSpec({
      kind: "retrieve",
      output: output as z.ZodType<unknown>,
      permissions: [unrestricted],
      select: () => value,
    });
    server.registerTool(spec, { name, description: "Tests." });
  }
  return server;
}

async function ask(server: McpServer, who: string, input: McpInput, session: string | null = null) {
  const headers = {
    authorization: `Bearer token-of-${who}-00000`,
    "mcp-session-id": session,
    ...input.headers,
  };
  const response = await server.fetch(mcpRequest("legacy", { ...input, headers }));
  const answer = await readAnswer(response);
  if (answer.text !== "") assertSound(answer, input.method ?? "tools/list", "legacy");
  return answer;
}

async function open(server: McpServer, who: string): Promise<string> {
  const { headers } = await ask(server, who, initialize);
  return headers.get("mcp-session-id")!;
}

Deno.test("legacy results and schemas are objects: other values are wrapped (B72, M-15)", async () => {
  const server = createServer();
  const session = await open(server, "ada");
  const { message } = await ask(server, "ada", {}, session);
  for (const { outputSchema } of message!.result.tools) {
    assertEquals([outputSchema.type, outputSchema.required], ["object", ["result"]]);
  }
  for (const [name, value] of Object.entries({ list: [], number: 0, boolean: false })) {
    const called = await ask(server, "ada", { method: "tools/call", params: { name } }, session);
    assertEquals(called.message?.result, {
      content: [{ type: "text", text: JSON.stringify(value) }],
      structuredContent: { result: value },
    });
  }
});

Deno.test("a session serves its owner only, and is not found by anybody else (B2, B4)", async () => {
  const server = createServer();
  const session = await open(server, "ada");
  for (const _ of [1, 2]) { // the second time from what is remembered
    assertEquals((await ask(server, "ada", {}, session)).status, 200);
    assertEquals((await ask(server, "bob", {}, session)).status, 404);
    assertEquals((await ask(server, "bob", { verb: "DELETE" }, session)).status, 404);
  }
  const stranger = await ask(server, "eve", {}, session);
  assertEquals(stranger.status, 401); // a session never authenticates
});

Deno.test("a session is served by another process with the same secret, and ends for good", async () => {
  const [one, two] = [createServer(), createServer()];
  const session = await open(one, "ada");
  assertEquals((await ask(two, "ada", {}, session)).status, 200);
  assert((await ask(one, "ada", { verb: "DELETE" }, session)).status < 300);
  assertEquals((await ask(one, "ada", {}, session)).status, 404);
  assertEquals((await ask(one, "ada", { verb: "DELETE" }, session)).status, 404);
});

Deno.test("a session id that was touched anywhere is no session (B3)", async () => {
  const server = createServer();
  const session = await open(server, "ada");
  for (let i = 0; i < session.length; i++) {
    const other = session[i] === "A" ? "B" : "A";
    const touched = session.slice(0, i) + other + session.slice(i + 1);
    const { status } = await ask(server, "ada", {}, touched);
    assertEquals(status, 404, `${i}`);
  }
  for (const id of ["", "x", session.slice(1), `${session}A`, `${session}.${session}`]) {
    assertEquals((await ask(server, "ada", {}, id)).status, 404, id);
  }
});
