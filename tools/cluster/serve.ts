/**
 * One process of the cluster: `serve.ts <socket of Redis> <number of clients>`. Serves the same tools
 * twice, at `/sealed` and at `/stored`, which say how legacy sessions are kept, and tasks and changes
 * at `/work`. Prints its port, and
 * ends when its input does, so that it does not outlive whoever started it.
 *
 * @module
 */
import {
  fixedWindow,
  jsonSchema,
  type LogEvent,
  McpServer,
  param,
  type RateLimiters,
  slidingWindow,
  staticTokens,
  tokenBucket,
  unrestricted,
} from "@limen/mcp";
import { redisBroker, redisStore } from "@limen/mcp/stores/redis";
import { redisLanes } from "../../tests/redis/redis_lanes.ts";
import { KINDS, QUOTA, tokenOf, WORK } from "./wire.ts";
import { createWorkServer } from "./work_server.ts";

const [socket = "", clients = "0"] = Deno.args;
const [lane] = redisLanes;
const [sender, receiver] = await Promise.all([lane!.open(socket), lane!.open(socket)]);
const tokens = Array.from({ length: Number(clients) }, (_, client) => ({
  token: tokenOf(client),
  user: { id: `client-${client}`, authenticated: true },
}));
const permissions = [unrestricted] as const;

function createServer(sessions: "sealed" | "stored"): McpServer {
  const prefix = sessions;
  const store = redisStore(sender.connection, { prefix });
  const server = new McpServer({
    name: "cluster",
    version: "1.0.0",
    secret: "a secret that every process of the cluster knows",
    sessions,
    auth: staticTokens(tokens),
    stores: store,
    broker: redisBroker({
      publisher: sender.connection,
      subscriber: sessions === "sealed" ? receiver.connection : second.connection,
    }, { prefix }),
    replay: { maxEvents: 256 },
    maxStreams: 1000,
    limits: { perCaller: { maxInFlight: 100 } },
    log: printErrors,
  });

  server.tool("write", {
    description: "Writes a note.",
    effect: "act",
    reads: { key: param.string({ required: true }), value: param.string({ required: true }) },
    permissions,
  }, async ({ args }) => {
    await store.set(`note:${args.key}`, args.value);
    return "written";
  });

  server.tool("read", {
    description: "Reads notes; the missing ones are null.",
    effect: "read",
    input: jsonSchema<{ keys: readonly string[] }>({
      type: "object",
      properties: { keys: { type: "array", items: { type: "string" } } },
      required: ["keys"],
    }),
    output: jsonSchema<{ values: readonly (string | null)[] }>({
      type: "object",
      properties: { values: { type: "array", items: { type: ["string", "null"] } } },
      required: ["values"],
    }),
    permissions,
  }, async ({ args }) => ({
    values: await Promise.all(args.keys.map(async (key) => await store.get(`note:${key}`) ?? null)),
  }));

  server.tool("tell", {
    description: "Sends a number to a session.",
    effect: "act",
    reads: { session: param.string({ required: true }), n: param.integer({ required: true }) },
    permissions,
  }, async ({ args: { session, n } }) => {
    await server.notify(session, { method: "notifications/message", params: { n } });
    return "told";
  });

  server.tool("whereami", {
    description: "Tells which process answers.",
    effect: "read",
    permissions,
  }, () => String(Deno.pid));

  for (const [name, rateLimits] of Object.entries(LIMITERS)) {
    server.tool(`quota_${name}`, {
      description: "Answers as often as its quota lets it.",
      effect: "read",
      permissions,
      rateLimits,
    }, () => "admitted");
  }
  return server;
}

const LIMITERS: Readonly<Record<string, RateLimiters>> = {
  fixed: fixedWindow({ maxCalls: QUOTA, perSeconds: 86_400 }),
  sliding: slidingWindow({ maxCalls: QUOTA, perSeconds: 86_400 }),
  bucket: tokenBucket({ capacity: QUOTA, refillPerSecond: 1 / 86_400 }),
};

/** What a client could not have caused: a fault fails the run where it is seen. */
function printErrors({ level, event, message, cause }: LogEvent): void {
  if (level === "error") console.error(`[${Deno.pid}] ${event}: ${message}`, cause ?? "");
}

const [second, third] = await Promise.all([lane!.open(socket), lane!.open(socket)]);
const servers = new Map(KINDS.map((kind) => [`/${kind}`, createServer(kind)]));
servers.set(
  `/${WORK}`,
  createWorkServer({
    sender: sender.connection,
    receiver: third.connection,
    tokens,
    log: printErrors,
  }),
);
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(port),
}, async (request) => {
  const server = servers.get(new URL(request.url).pathname);
  return server === undefined ? new Response(null, { status: 404 }) : await server.fetch(request);
});
for await (const _ of Deno.stdin.readable) { /* nothing is ever sent */ }
Deno.exit();
