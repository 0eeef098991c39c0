import { McpServer, param, selectorSpec, unrestricted } from "@limen/mcp";
import { redisBroker } from "@limen/mcp/stores/redis";
import { assert, assertEquals } from "@std/assert";
import { type ListenClient, listenRequest, listenTo } from "../_support/listen_client.ts";
import { watchRejections } from "../_support/wire_sheet.ts";
import { type OpenConnection, type RedisLane, redisLanes } from "./redis_lanes.ts";
import { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

const CLIENTS = 100;

/** Registers what clients hear in two processes that share one Redis, also one that goes away. */
export function listenSuite(): void {
  for (const lane of redisLanes) {
    Deno.test(`subscriptions/listen on Redis through ${lane.name}: 100 clients hear each change of the other process once`, () =>
      withProcesses(lane, async ({ first, second, redis }) => {
        const clients = await Promise.all(
          Array.from({ length: CLIENTS }, (_, i) => listenTo(first, filterOf(i))),
        );
        for (let n = 0; n < 10; n++) {
          await second.notifyResourceUpdated(`rows://${n}`);
        }
        await second.notifyListChanged("tools"); // in another topic, and so in any order with them
        for (const [i, client] of clients.entries()) {
          const heard = [await client.next(), await client.next()].map((one) => one?.method);
          assertEquals(heard.sort(), [
            "notifications/resources/updated",
            "notifications/tools/list_changed",
          ], `${i}`);
        }
        await first.close(); // and so nothing is delivered twice
        for (const client of clients) {
          assertEquals((await client.rest()).map(({ result }) => result?.resultType), ["complete"]);
        }
        await until(async () => await redis.send("PUBSUB CHANNELS *") === "*0\r\n");
      }));

    Deno.test(`subscriptions/listen on Redis through ${lane.name}: Redis restarts while 100 clients listen`, () =>
      withProcesses(lane, async ({ first, second, redis, brokers }) => {
        const clients = await Promise.all(
          Array.from({ length: CLIENTS }, (_, i) => listenTo(first, filterOf(i))),
        );
        await redis.kill();
        for (const client of clients) {
          assertEquals((await client.rest()).map(({ result }) => result?.resultType), ["complete"]);
        }
        assertEquals(brokers.map(({ activeSubscriptions }) => activeSubscriptions), [0, 0]);
        assertEquals(await second.notifyListChanged("tools"), 0); // logged, and no error
        const refused = await first.fetch(listenRequest(filterOf(0)));
        assertEquals([refused.status, (await refused.json()).error.code], [503, -32603]);

        await redis.restart();
        const again = await Promise.all(
          Array.from({ length: CLIENTS }, (_, i) => listenAgain(first, filterOf(i))),
        );
        await until(async () => await second.notifyListChanged("tools") > 0);
        for (const client of again) {
          assertEquals((await client.next())?.method, "notifications/tools/list_changed");
          await client.leave();
        }
        await until(() => brokers.every(({ activeSubscriptions }) => activeSubscriptions === 0));
      }));
  }
}

function filterOf(i: number): object {
  return { toolsListChanged: true, resourceSubscriptions: [`rows://${i % 10}`] };
}

interface Processes {
  readonly first: McpServer;
  readonly second: McpServer;
  readonly redis: RedisServer;
  readonly brokers: readonly ReturnType<typeof redisBroker>[];
}

async function withProcesses(
  lane: RedisLane,
  run: (processes: Processes) => Promise<void>,
): Promise<void> {
  await watchRejections(async () => {
    await using redis = await RedisServer.start();
    const connections: OpenConnection[] = [];
    const open = async () => {
      const connection = await lane.open(redis.path);
      connections.push(connection);
      return connection.connection;
    };
    try {
      const brokers = [];
      for (let i = 0; i < 2; i++) {
        const clients = { publisher: await open(), subscriber: await open() };
        brokers.push(redisBroker(clients, { prefix: "listen", commandTimeoutMs: 300 }));
      }
      const [first, second] = brokers.map(createServer) as [McpServer, McpServer];
      await run({ first, second, redis, brokers });
      await Promise.all([first.close(), second.close()]);
    } finally {
      await Promise.all(connections.map(({ close }) => close()));
    }
  });
}

function createServer(broker: ReturnType<typeof redisBroker>): McpServer {
  const server = new McpServer({
    name: "rows",
    version: "1.0.0",
    broker,
    maxSubscriptions: null,
    log: () => {},
  });
  const permissions = [unrestricted];
  server.tool("t", { description: "Does it.", effect: "read", permissions }, () => "done");
  const row = selectorSpec({
    kind: "retrieve",
    reads: { id: param.integer({ required: true }) },
    permissions,
    select: ({ args }) => ({ id: args.id }),
  });
  server.registerResource(row, { uri: "rows://{id}", name: "row" });
  return server;
}

/** As a client does whose stream has ended: it tries again while it is told to. */
async function listenAgain(server: McpServer, filter: object): Promise<ListenClient> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      return await listenTo(server, filter);
    } catch (error) {
      assert(String(error).includes("503"), String(error));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("Nobody could listen again");
}
