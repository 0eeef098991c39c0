/** B2: every answer reaches its own caller, whatever ids callers have in common. */
import { assertEquals } from "@std/assert";
import { McpServer, param, unrestricted } from "@limen/mcp";
import { legacyRequest, openSession } from "../../_support/legacy_session.ts";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { readAnswer } from "../../_support/read_answer.ts";

const ROUNDS = 1000;
const CALLS = 50;

function createServer(): McpServer {
  const server = new McpServer({
    name: "isolation",
    version: "1.0.0",
    secret: "a secret of more than thirty-two bytes",
  });
  server.tool("echo", {
    description: "Answers a text, sooner or later.",
    effect: "read",
    reads: { text: param.string({ required: true }), delay: param.integer({ required: true }) },
    permissions: [unrestricted],
  }, ({ args: { text, delay }, progress }) => {
    progress(1, { message: text });
    return delay === 0 ? text : later(text, delay);
  });
  return server;
}

async function later(text: string, delay: number): Promise<string> {
  if (delay < 8) { for (let i = 0; i < delay * 10; i++) await undefined; }
  else await new Promise((resolve) => setTimeout(resolve, delay - 8));
  return text;
}

Deno.test("50 calls with one id, of several sessions and both eras, 1,000 times: each gets its answer", async () => {
  const server = createServer();
  const sessions = await Promise.all(Array.from({ length: 5 }, () => openSession(server)));
  const counts = { json: 0, stream: 0 };

  async function call(text: string): Promise<void> {
    const delay = Math.floor(Math.random() * 10);
    const hasToken = Math.random() < 0.1;
    const params = { name: "echo", arguments: { text, delay } };
    const meta = hasToken ? { progressToken: 1 } : {};
    const era = Math.floor(Math.random() * (sessions.length + 1));
    const message = { id: 1, method: "tools/call", params: { ...params, _meta: meta } };
    const request = era === sessions.length
      ? mcpRequest("modern", { method: "tools/call", params, meta })
      : legacyRequest(sessions[era]!, { message });
    const answer = await readAnswer(await server.fetch(request));
    assertEquals(answer.message?.result?.content, [{ type: "text", text }]);
    assertEquals(answer.message?.id, 1);
    assertEquals(
      answer.notifications.map(({ params }) => params.message),
      hasToken ? [text] : [],
    );
    counts[hasToken ? "stream" : "json"]++;
  }

  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: CALLS }, (_, i) => call(`${round}:${i}`)));
  }
  assertEquals(counts.json + counts.stream, ROUNDS * CALLS);
});
