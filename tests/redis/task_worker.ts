/**
 * A process that runs the tasks of `task_suite.ts`: `task_worker.ts <socket> <lease in ms> <key>`. Says
 * when work begins, and when a job is through that was delivered before; work of the key does not wait.
 *
 * @module
 */
import { startWorker } from "../../examples/tasks_bullmq/bullmq_executor.ts";
import { TaskHooks } from "../_support/task_fixture.ts";
import { openTaskServer } from "./task_suite.ts";

const [path = "", leaseMs = "", open = ""] = Deno.args;
const hooks = new TaskHooks();
const push = hooks.began.push.bind(hooks.began);
hooks.began.push = (key) => {
  console.log(`began ${key}`);
  return push(key);
};
if (open !== "") hooks.gate(open).resolve();
const { server, queueClient, close } = await openTaskServer(path, hooks, {
  leaseMs: Number(leaseMs),
});
const worker = startWorker(server, "tasks", {
  connection: queueClient,
  lockDuration: 1000, // twice the lease
  stalledInterval: 500,
});
worker.on("error", () => {});
worker.on("completed", (job) => {
  if (job.stalledCounter > 0) console.log("delivered twice");
});
Deno.addSignalListener("SIGTERM", async () => {
  await worker.close();
  await close();
  Deno.exit(0);
});
