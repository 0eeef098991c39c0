/**
 * Opens sessions, uses each once, and prints the bytes of the heap after every so many, garbage
 * collected: `hold_sessions.ts <sealed|stored> <sessions> <steps>`, in a process with
 * `--v8-flags=--expose-gc`.
 *
 * @module
 */
import { McpServer } from "@limen/mcp";
import { heapAfterGc } from "./heap_after_gc.ts";

function post(session: string | null, message: object): Request {
  return new Request("http://localhost/", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...(session === null ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
}

const INITIALIZE = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
};

if (import.meta.main) {
  const [sessions, count, steps] = Deno.args as ["sealed" | "stored", string, string];
  const secret = "a secret of more than thirty-two bytes";
  const server = new McpServer({ name: "sessions", version: "1.0.0", secret, sessions });
  const open = async (): Promise<void> => {
    const response = await server.fetch(post(null, INITIALIZE));
    await response.arrayBuffer();
    const id = response.headers.get("mcp-session-id");
    await (await server.fetch(post(id, { method: "ping" }))).arrayBuffer();
  };
  for (let i = 0; i < 100; i++) await open();
  console.log(await heapAfterGc());
  for (let step = 0; step < Number(steps); step++) {
    for (let i = 0; i < Number(count); i++) await open();
    console.log(await heapAfterGc());
  }
  Deno.exit();
}
