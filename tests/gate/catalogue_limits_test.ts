/** Rate limits of prompts and completions (RL-2, C-4, P-3). */
import { assertEquals } from "@std/assert";
import { fixedWindow, McpServer, param, unrestricted } from "@limen/mcp";
import { askServer } from "../_support/ask_server.ts";

function createServer(maxCalls: number): McpServer {
  const server = new McpServer({
    name: "s",
    version: "1",
    host: () => ({ clientAddress: "192.0.2.1" }),
  });
  server.registerPrompt("p", {
    reads: { a: param.integer({ required: true }) },
    complete: { a: () => [1] },
    permissions: [unrestricted],
    rateLimits: fixedWindow({ maxCalls, perSeconds: 3600 }),
  }, () => "Hi");
  return server;
}

Deno.test("prompts/get charges an admitted caller, refused arguments included", async () => {
  const server = createServer(2);
  const get = async (args: object) => {
    const params = { name: "p", arguments: args };
    return (await askServer(server, "prompts/get", params)).message.error?.code;
  };
  assertEquals([await get({ a: "x" }), await get({ a: "1" })], [-32602, undefined]);
  assertEquals(await get({ a: "1" }), -32005);
});

Deno.test("completion/complete is charged before the completer is asked", async () => {
  const server = createServer(1);
  const complete = async () => {
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
    };
    return (await askServer(server, "completion/complete", params)).message.error?.code;
  };
  assertEquals([await complete(), await complete()], [undefined, -32005]);
});
