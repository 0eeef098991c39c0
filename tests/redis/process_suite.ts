import { assertEquals } from "@std/assert";
import { redisLanes } from "./redis_lanes.ts";
import type { RedisServer } from "./redis_server.ts";
import { until } from "./until.ts";

const CALLERS = 10;
const PROCESSES = 2;

/** What a caller in `race_worker.ts` came away with. */
interface Outcome {
  readonly admitted: number;
  readonly wins: number;
}

/** Registers the races between processes. */
export function processSuite(server: () => RedisServer): void {
  for (const { name } of redisLanes) {
    Deno.test(
      `redisStore() through ${name}: 20 callers in two processes keep to a quota of 50, ` +
        "and each of 30 races has one winner",
      async () => {
        await server().send("FLUSHALL");
        const workers = Array.from({ length: PROCESSES }, () =>
          new Deno.Command(Deno.execPath(), {
            args: [
              ...["run", "-A", new URL("race_worker.ts", import.meta.url).pathname],
              ...[server().path, name, String(CALLERS)],
            ],
            stdin: "null",
            stderr: "inherit",
          }).output());
        // They wait for each other, and then for this.
        await until(async () => await server().send("SCARD ready") === `:${PROCESSES}\r\n`);
        for (let race = 0; race < 30; race++) await server().send(`SET race:race:${race} free`);
        await server().send("SET race:start 1");
        const outcomes: Outcome[] = [];
        for (const { stdout, success } of await Promise.all(workers)) {
          assertEquals(success, true);
          outcomes.push(JSON.parse(new TextDecoder().decode(stdout)));
        }
        assertEquals(outcomes.reduce((sum, { admitted }) => sum + admitted, 0), 50);
        assertEquals(outcomes.reduce((sum, { wins }) => sum + wins, 0), 30);
        assertEquals(await server().send("GET race:limit:quota"), "$3\r\n200\r\n");
      },
    );
  }
}
