import {
  inProcessExecutor,
  type McpServer,
  type ServerOptions,
  type TaskOptions,
} from "@limen/mcp";
import { redisBroker, redisStore } from "@limen/mcp/stores/redis";
import { assertEquals } from "@std/assert";
import { Queue } from "npm:bullmq@6.7.0";
import { Redis } from "npm:ioredis@6.0.0";
import { bullmqExecutor, startWorker } from "../../examples/tasks_bullmq/bullmq_executor.ts";
import { executorSuite, type ExecutorTrial } from "../features/tasks/executor_suite.ts";
import { TaskClient } from "../_support/task_client.ts";
import { createTaskServer, TaskHooks, tokenOf } from "../_support/task_fixture.ts";
import { type OpenConnection, redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

/** What every process of these tests is told. */
const SHARED = {
  name: "tasks",
  secret: "a secret of at least 32 bytes, for tests",
  limits: { perCaller: { maxInFlight: 1000 } },
} as const;

/** Where every process keeps its state. */
function stateOn(
  { connection }: OpenConnection,
  subscriber: OpenConnection,
): Pick<ServerOptions, "broker" | "stores"> {
  const sides = { publisher: connection, subscriber: subscriber.connection };
  const options = { prefix: SHARED.name };
  return { stores: redisStore(connection, options), broker: redisBroker(sides, options) };
}

/** A server of the tests on Redis, with a queue, and how to end both. */
export async function openTaskServer(
  path: string,
  hooks: TaskHooks,
  tasks: TaskOptions,
): Promise<{
  readonly server: McpServer;
  readonly queueClient: Redis;
  readonly close: () => Promise<void>;
}> {
  const lane = redisLanes.find(({ name }) => name === "ioredis")!;
  const [client, subscriber] = [await lane.open(path), await lane.open(path)];
  const queueClient = new Redis(path, { maxRetriesPerRequest: null });
  const queue = new Queue(SHARED.name, { connection: queueClient });
  await queue.waitUntilReady();
  const server = createTaskServer(hooks, {
    ...SHARED,
    tasks: { maxPerCaller: 1000, ...tasks },
    executor: bullmqExecutor(queue),
    ...stateOn(client, subscriber),
  });
  const close = async (): Promise<void> => {
    await server.close();
    const ended = new Promise((resolve) => queueClient.once("end", resolve));
    queueClient.disconnect();
    await ended;
    await Promise.all([client.close(), subscriber.close()]);
  };
  return { server, queueClient, close };
}

/** Registers what tasks do on Redis: in one process, through BullMQ, and when a worker is killed. */
export function taskSuite(redis: () => RedisServer): void {
  for (const { name, open } of redisLanes) {
    executorSuite(`inProcessExecutor() on Redis through ${name}`, async (hooks) => {
      const [client, subscriber] = [await open(redis().path), await open(redis().path)];
      const server = createTaskServer(hooks, {
        ...SHARED,
        executor: inProcessExecutor(),
        tasks: { maxPerCaller: 1000 },
        ...stateOn(client, subscriber),
      });
      const close = async (): Promise<void> => {
        await server.close();
        await Promise.all([client.close(), subscriber.close()]);
        await redis().send("FLUSHALL");
      };
      return { server, redeliver: (taskId) => server.runTask(taskId), close };
    });
  }

  executorSuite("bullmqExecutor()", async (hooks): Promise<ExecutorTrial> => {
    const web = await openTaskServer(redis().path, hooks, {});
    const work = await openTaskServer(redis().path, hooks, {});
    const worker = startWorker(work.server, SHARED.name, { connection: work.queueClient });
    worker.on("error", () => {});
    await worker.waitUntilReady();
    const queue = new Queue(SHARED.name, { connection: web.queueClient });
    return {
      server: web.server,
      redeliver: async (taskId) => {
        const job = await queue.add("task", taskId, { removeOnComplete: true });
        await until(async () => !await job.isActive() && !await job.isWaiting());
      },
      close: async () => {
        await worker.close();
        await queue.close();
        await work.close();
        await web.close();
        await redis().send("FLUSHALL");
      },
    };
  });

  for (
    const [tool, end] of [
      ["wait", { status: "failed", statusMessage: "The work was interrupted" }],
      ["wait_again", { status: "completed", statusMessage: undefined }],
    ] as const
  ) {
    Deno.test(
      `bullmqExecutor(): a worker is killed in the middle of ${tool}, its job is delivered again, ` +
        `and the task has ${end.status} (J-20)`,
      async () => {
        const leaseMs = 500;
        const web = await openTaskServer(redis().path, new TaskHooks(), { leaseMs });
        const ada = new TaskClient(web.server, { token: tokenOf("ada") });
        const first = startProcess(redis().path, leaseMs);
        try {
          const taskId = await ada.start(tool, { key: "a" });
          await first.untilPrinted("began a");
          first.process.kill("SIGKILL");
          await first.ended;
          // Nobody asks in the meantime: it is the queue that brings the task back.
          const second = startProcess(redis().path, leaseMs, "a");
          const counted = await ada.start("count", { to: 1 });
          assertEquals((await ada.untilOver(counted)).status, "completed");
          await second.untilPrinted("delivered twice");
          const { status, statusMessage } = await ada.get(taskId);
          assertEquals({ status, statusMessage }, end);
          second.process.kill("SIGTERM");
          await second.ended;
          assertEquals(second.printed().match(/began a/g)?.length ?? 0, tool === "wait" ? 0 : 1);
        } finally {
          await web.close();
          await redis().send("FLUSHALL");
        }
      },
    );
  }
}

/** Starts `task_worker.ts`. @param open A key whose work need not wait. */
function startProcess(path: string, leaseMs: number, open = "") {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", new URL("task_worker.ts", import.meta.url).pathname],
      ...[path, String(leaseMs), open],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "";
  const reading = (async () => {
    for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  return {
    process,
    ended: Promise.all([process.status, reading]),
    printed: () => text,
    untilPrinted: (line: string) => until(() => text.includes(`${line}\n`)),
  };
}
