/**
 * Starts a Redis, a process that answers requests and one that works, and has reports built. Needs a
 * `redis-server`.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { runChecks } from "../_support/run_checks.ts";

const folder = await Deno.makeTempDir({ prefix: "tasks-bullmq-" });
const redis = `${folder}/redis.sock`;
const token = "correct-horse-battery";
const env = {
  REDIS: redis,
  SECRET: "a secret of at least 32 bytes, for this check",
  TOKEN: token,
  PORT: "0",
  TASK_LEASE_MS: "1500",
};
const store = new Deno.Command("redis-server", {
  args: ["--port", "0", "--unixsocket", redis, "--dir", folder, "--save", ""],
  stdin: "null",
  stdout: "null",
}).spawn();
while (!await Deno.stat(redis).then(() => true, () => false)) {
  await new Promise((resolve) => setTimeout(resolve, 25));
}

const web = await start("web.ts", /^Listening on (\S+)$/m);
let worker = await start("worker.ts", /^Waiting for tasks$/m);

await runChecks([
  ["another process builds the report, and says how far it is", async () => {
    const taskId = await build(15);
    const messages = new Set<string>();
    const task = await untilOver(taskId, ({ statusMessage }) => messages.add(statusMessage ?? ""));
    assertEquals(task.status, "completed");
    assertEquals(task.result?.structuredContent, { pages: 15, builtBy: worker.process.pid });
    assert(
      [...messages].some((text) => /^Writing \(\d+\/15\)$/.test(text)),
      "No progress was told",
    );
  }],

  ["a report that is cancelled is not built to the end", async () => {
    const taskId = await build(600);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await send("tasks/cancel", { taskId });
    assertEquals((await untilOver(taskId)).status, "cancelled");
    const next = await untilOver(await build(1));
    assertEquals(next.status, "completed");
  }],

  ["a worker that is killed fails its report, and the next one is built", async () => {
    const taskId = await build(600);
    while ((await look(taskId)).statusMessage === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    worker.process.kill("SIGKILL");
    await worker.ended;
    const task = await untilOver(taskId);
    assertEquals([task.status, task.statusMessage], ["failed", "The work was interrupted"]);
    worker = await start("worker.ts", /^Waiting for tasks$/m);
    assertEquals((await untilOver(await build(1))).status, "completed");
  }],
]);

for (const { process, ended } of [worker, web]) {
  process.kill("SIGTERM");
  assertEquals((await ended).code, 0);
}
store.kill();
await store.status;
await Deno.remove(folder, { recursive: true });

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly structuredContent: unknown };
}

async function build(pages: number): Promise<string> {
  return (await send("tools/call", { name: "report_build", arguments: { pages } })).taskId;
}

async function look(taskId: string): Promise<Task> {
  return await send("tasks/get", { taskId });
}

async function untilOver(taskId: string, see: (task: Task) => void = () => {}): Promise<Task> {
  for (;;) {
    const task = await look(taskId);
    see(task);
    if (task.status !== "working") return task;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function send(method: string, params: Readonly<Record<string, unknown>>): Promise<Task> {
  const response = await fetch(web.printed, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(params.name ?? params.taskId),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "check", version: "1.0.0" },
          "io.modelcontextprotocol/clientCapabilities": {
            extensions: { "io.modelcontextprotocol/tasks": {} },
          },
        },
      },
    }),
  });
  const { result, error } = await response.json();
  assert(error === undefined, JSON.stringify(error));
  return result;
}

/** Starts a process of the example, and waits for a line of it. */
async function start(file: string, line: RegExp) {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL(file, import.meta.url).pathname],
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "";;) {
    const { value, done } = await lines.read();
    assert(!done, `${file} ended before it was ready`);
    text += value;
    const found = line.exec(text);
    if (found === null) continue;
    const ended = process.status.then(async (status) => {
      await lines.cancel();
      return status;
    });
    return { process, ended, printed: found[1] ?? "" };
  }
}
