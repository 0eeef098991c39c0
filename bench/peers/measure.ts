/**
 * Measures one lane in this process, so that no lane meets the code another one warmed up. The
 * runner starts it: `measure.ts <lane> <budget in ms a case> <case>…`; one line of JSON a case.
 *
 * @module
 */
import { type CaseName, cases } from "./cases.ts";
import type { LaneName } from "./lane.ts";
import { measureCase } from "./measure_case.ts";
import { openLane } from "./open_lane.ts";

/** Until the engine has compiled what every case runs, as well as it ever will. */
const WARM_UP_MS = 1000;

if (import.meta.main) {
  const [lane, budgetMs, ...names] = Deno.args as [LaneName, string, ...CaseName[]];
  for (const [index, name] of names.entries()) {
    const workload = cases[name];
    try {
      const server = await openLane(lane, workload);
      if (index === 0) await measureCase(workload, server, WARM_UP_MS);
      const result = await measureCase(workload, server, Number(budgetMs));
      console.log(JSON.stringify({ case: name, lane, ...result }));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      console.log(JSON.stringify({ case: name, lane, reason }));
    }
  }
  Deno.exit(); // a lane may hold timers open
}
