import { McpServer, param, staticTokens, type TaskOptions, unrestricted } from "@limen/mcp";
import { fromIoredis, redisBroker, redisStore } from "@limen/mcp/stores/redis";
import { Queue } from "npm:bullmq@6.7.0";
import { Redis } from "npm:ioredis@6.0.0";
import { setTimeout as wait } from "node:timers/promises";
import { bullmqExecutor } from "./bullmq_executor.ts";

/** What both kinds of process read from their environment. */
export interface ReportServerOptions {
  /** Where Redis is: `redis://…`, or the path of a socket. */
  readonly redis: string;
  /** Seals what is kept of tasks; at least 32 bytes, and the same in every process. */
  readonly secret: string;
  /** The one token that may call. */
  readonly token: string;
  /** How tasks are kept. Default: as the server does. */
  readonly tasks?: TaskOptions;
}

/** The name of the queue, and of everything in Redis. */
export const NAME = "reports";

const ada = { id: "ada", authenticated: true };

/** The same server in every process: those that answer requests, and those that do the work. */
export function createServer({ redis, secret, token, tasks = {} }: ReportServerOptions) {
  // BullMQ wants a client that waits for Redis; the stores want one that fails in time.
  const [queueClient, client, subscriber] = [
    new Redis(redis, { maxRetriesPerRequest: null }),
    new Redis(redis, { autoResendUnfulfilledCommands: false }),
    new Redis(redis, { autoResubscribe: false }),
  ];
  for (const each of [queueClient, client, subscriber]) {
    each.on("error", ({ message }) => console.warn(message));
  }
  const connection = fromIoredis(client);
  const queue = new Queue(NAME, { connection: queueClient });
  const server = new McpServer({
    name: NAME,
    version: "1.0.0",
    secret,
    stores: redisStore(connection, { prefix: NAME }),
    broker: redisBroker(
      { publisher: connection, subscriber: fromIoredis(subscriber) },
      { prefix: NAME },
    ),
    auth: staticTokens([{ token, user: ada }]),
    executor: bullmqExecutor(queue),
    restoreCaller: (id) => id === ada.id ? { user: ada } : undefined,
    tasks,
  });

  server.tool("report_build", {
    description: "Builds a report of so many pages. Takes a while.",
    effect: "act",
    taskPolicy: "required",
    reads: { pages: param.integer({ required: true, help: "How many pages it has." }) },
    permissions: [unrestricted],
  }, async ({ args: { pages }, progress, signal }) => {
    for (let page = 1; page <= pages; page++) {
      await wait(100, undefined, { signal });
      progress(page, { total: pages, message: "Writing" });
    }
    return { pages, builtBy: Deno.pid };
  });

  const close = async () => {
    await server.close();
    for (const each of [queueClient, client, subscriber]) each.disconnect();
  };
  return { server, queueClient, close };
}

/** Reads the options from the environment. */
export function readOptions(): ReportServerOptions {
  const read = (name: string) => {
    const value = Deno.env.get(name);
    if (value === undefined) throw new Error(`Set ${name}`);
    return value;
  };
  const leaseMs = Deno.env.get("TASK_LEASE_MS");
  return {
    redis: read("REDIS"),
    secret: read("SECRET"),
    token: read("TOKEN"),
    ...(leaseMs === undefined ? {} : { tasks: { leaseMs: Number(leaseMs) } }),
  };
}
