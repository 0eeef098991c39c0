/**
 * Answers requests; start as many as you like:
 * `REDIS=redis://127.0.0.1:6379 SECRET=… TOKEN=… deno run -A examples/tasks_bullmq/web.ts`.
 *
 * @module
 */
import { createServer, readOptions } from "./server.ts";

const { server, close } = createServer(readOptions());
const http = Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 8002),
  onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}/mcp`),
}, server.fetch);

Deno.addSignalListener("SIGTERM", async () => {
  await close();
  await http.shutdown();
  Deno.exit(0);
});
