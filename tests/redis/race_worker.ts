/**
 * One process of the races in `process_suite.ts`: `race_worker.ts <socket> <client> <callers>`. Prints
 * how many of its calls a quota of 50 admitted, and how many races it won.
 *
 * @module
 */
import { redisStore } from "@limen/mcp/stores/redis";
import { redisLanes } from "./redis_lanes.ts";
import { until } from "./until.ts";

const [path = "", name = "", callers = ""] = Deno.args;
const lane = redisLanes.find((lane) => lane.name === name);
if (lane === undefined) throw new Error(`No client is called ${name}`);
const { connection, close } = await lane.open(path);
const store = redisStore(connection, { prefix: "race", commandTimeoutMs: 10_000 });
await connection.command(["SADD", "ready", crypto.randomUUID()], new AbortController().signal);
await until(async () => await store.get("start") !== undefined);

let admitted = 0;
let wins = 0;
await Promise.all(Array.from({ length: Number(callers) }, async () => {
  for (let call = 0; call < 10; call++) {
    if (await store.increment("limit:quota", 1, { ttlMs: 60_000 }) <= 50) admitted++;
  }
  for (let race = 0; race < 30; race++) {
    const mine = crypto.randomUUID();
    if (!await store.compareAndSet(`race:${race}`, "free", mine)) continue;
    if (await store.get(`race:${race}`) === mine) wins++;
  }
}));
await close();
console.log(JSON.stringify({ admitted, wins }));
