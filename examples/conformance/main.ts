import { createServer } from "./server.ts";

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 3000),
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}/mcp`),
}, createServer().fetch);
