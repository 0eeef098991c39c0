/**
 * The fixture server without a broker: where a server can push, the Inspector listens, and its command
 * line waits for ever when it runs on Deno. On Node it does not.
 *
 * @module
 */
import { createServer } from "../../examples/conformance/server.ts";

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 3000),
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}/mcp`),
}, createServer({ secret: crypto.randomUUID() + crypto.randomUUID() }).fetch);
