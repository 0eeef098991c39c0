import { memoryBroker } from "@limen/mcp/stores/memory";
import { createServer } from "./server.ts";

// Legacy sessions end with the process, so nothing outlives a secret that is drawn here.
const secret = crypto.randomUUID() + crypto.randomUUID();

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 3000),
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}/mcp`),
}, createServer({ secret, broker: memoryBroker() }).fetch);
