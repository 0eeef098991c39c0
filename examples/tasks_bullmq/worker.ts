/**
 * Does the work; start as many as you like, on any machine, with the environment of `web.ts`:
 * `deno run -A examples/tasks_bullmq/worker.ts`.
 *
 * @module
 */
import { startWorker } from "./bullmq_executor.ts";
import { createServer, NAME, readOptions } from "./server.ts";

const { server, queueClient, close } = createServer(readOptions());
const worker = startWorker(server, NAME, { connection: queueClient });
await worker.waitUntilReady();
console.log("Waiting for tasks");

Deno.addSignalListener("SIGTERM", async () => {
  await worker.close(); // waits for what it runs
  await close();
  Deno.exit(0);
});
