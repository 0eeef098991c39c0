/**
 * The process that writes, in `continuation_suite.ts`: `continuation_worker.ts <socket> <client>`. Prints
 * what it was answered for a bulk write, and ends.
 *
 * @module
 */
import { redisStore } from "@limen/mcp/stores/redis";
import { ada, createDevices, serveWithSlot } from "../_support/lean_fixture.ts";
import { redisLanes } from "./redis_lanes.ts";

const [path = "", name = ""] = Deno.args;
const lane = redisLanes.find((lane) => lane.name === name);
if (lane === undefined) throw new Error(`No client is called ${name}`);
const { connection, close } = await lane.open(path);
const stores = redisStore(connection, { prefix: "a", commandTimeoutMs: 10_000 });
const { call } = serveWithSlot(createDevices, "shared", { server: { stores } });
const items = Array.from({ length: 25 }, (_, i) => ({ name: `é${i}` }));
const { value } = await call({ items }, { as: ada });
await close();
console.log(JSON.stringify(value));
