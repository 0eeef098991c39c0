import { brokerContract, storeContract } from "@limen/mcp/stores/contract";
import { redisBroker, redisStore } from "@limen/mcp/stores/redis";
import { redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

/** Registers both contracts, through each client. */
export function contractSuite(server: () => RedisServer): void {
  for (const { name, open } of redisLanes) {
    const cases = [
      ...storeContract({
        name: `redisStore() through ${name}`,
        open: async () => {
          const { connection, close } = await open(server().path);
          return { store: redisStore(connection, { prefix: "contract" }), close };
        },
      }),
      ...brokerContract({
        name: `redisBroker() through ${name}`,
        open: async () => {
          const [publisher, subscriber] = [await open(server().path), await open(server().path)];
          const broker = redisBroker({
            publisher: publisher.connection,
            subscriber: subscriber.connection,
          }, { prefix: "contract" });
          return {
            broker,
            disconnect: async () => {
              await server().send("CLIENT KILL TYPE pubsub");
              await until(() => broker.activeSubscriptions === 0);
            },
            close: async () => {
              await publisher.close();
              await subscriber.close();
            },
          };
        },
      }),
    ];
    for (const { title, run } of cases) Deno.test(title, run);
  }
}
