import {
  authenticated,
  inProcessExecutor,
  type Log,
  McpServer,
  param,
  selectorSpec,
  type StaticToken,
  staticTokens,
} from "@limen/mcp";
import { redisBroker, type RedisConnection, redisStore } from "@limen/mcp/stores/redis";
import { changeUri, WORK } from "./wire.ts";

/** What the server is built with. */
export interface WorkServerOptions {
  /** Sends what is stored and published. */
  readonly sender: RedisConnection;
  /** Receives what is published. */
  readonly receiver: RedisConnection;
  readonly tokens: readonly StaticToken[];
  readonly log: Log;
}

/** After how long a process that is silent counts as gone, in milliseconds. */
const LEASE_MS = 5000;

/** How many tasks run in a process at a time: few enough that some wait, and are lost so. */
const MAX_RUNNING = 8;

/** Makes the server whose tools run as tasks and tell of changes. */
export function createWorkServer(
  { sender, receiver, tokens, log }: WorkServerOptions,
): McpServer {
  const prefix = WORK;
  const store = redisStore(sender, { prefix });
  const permissions = [authenticated] as const;
  const users = new Map(tokens.map(({ user }) => [user.id, user]));
  const server = new McpServer({
    name: "work",
    version: "1.0.0",
    secret: "a secret that every process of the cluster knows",
    auth: staticTokens(tokens),
    restoreCaller: (id) => {
      const user = users.get(id);
      return user && { user };
    },
    stores: store,
    broker: redisBroker({ publisher: sender, subscriber: receiver }, { prefix }),
    executor: inProcessExecutor({ maxRunning: MAX_RUNNING }),
    tasks: { leaseMs: LEASE_MS, maxPerCaller: 200 },
    maxSubscriptions: null,
    maxSubscriptionsPerCaller: 1000,
    limits: { perCaller: { maxInFlight: 1000 } },
    log,
  });

  const reads = { key: param.string({ required: true }), ms: param.integer({ required: true }) };
  for (const idempotent of [true, false]) {
    server.tool(idempotent ? "work_again" : "work_once", {
      description: "Works for some time, and answers the key.",
      effect: "act",
      idempotent,
      taskPolicy: "required",
      reads,
      permissions,
    }, async ({ args: { key, ms } }) => {
      const isFirst = await store.set(`begun:${key}`, `${Deno.pid}`, { ifAbsent: true });
      if (!isFirst) await store.set(`repeated:${key}`, `${Deno.pid}`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await store.set(`done:${key}`, key);
      return key;
    });
  }

  server.tool("change", {
    description: "Tells that a resource changed, and answers when that is published.",
    effect: "act",
    reads: { group: param.integer({ required: true }), n: param.integer({ required: true }) },
    permissions,
  }, async ({ args: { group, n } }) => {
    await server.notifyResourceUpdated(changeUri(group, n));
    return "published";
  });

  const change = selectorSpec({
    kind: "retrieve",
    reads: { group: param.integer({ required: true }), n: param.integer({ required: true }) },
    permissions,
    select: ({ args }) => args,
  });
  server.registerResource(change, { uri: "changes://{group}/{n}", name: "change" });
  return server;
}
