import { Redis } from "npm:ioredis@6.0.0";
import { createClient } from "npm:redis@6.3.1";
import { fromIoredis, fromNodeRedis, type RedisConnection } from "@limen/mcp/stores/redis";

/** A connection, and how to close it. */
export interface OpenConnection {
  readonly connection: RedisConnection;
  readonly close: () => Promise<void>;
}

/** A client library under test. */
export interface RedisLane {
  readonly name: string;
  /** Opens a connection as `docs/redis.md` advises; resolves once it is ready. */
  open(path: string): Promise<OpenConnection>;
}

/** The libraries that the suites run through. */
export const redisLanes: readonly RedisLane[] = [
  {
    name: "node-redis",
    open: async (path) => {
      const client = createClient({
        socket: { path, reconnectStrategy: (tries) => Math.min(25 * tries, 200) },
      });
      const connection = fromNodeRedis(client);
      await client.connect();
      return { connection, close: () => Promise.resolve(client.destroy()) };
    },
  },
  {
    name: "ioredis",
    open: async (path) => {
      const client = new Redis({
        path,
        autoResendUnfulfilledCommands: false,
        retryStrategy: (tries) => Math.min(25 * tries, 200),
      });
      const connection = fromIoredis(client);
      await new Promise((resolve) => client.once("ready", resolve));
      return {
        connection,
        close: async () => {
          const ended = new Promise((resolve) => client.once("end", resolve));
          client.disconnect();
          await ended;
        },
      };
    },
  },
];
