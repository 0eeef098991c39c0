/**
 * Measures what the first call costs, import included, in fresh processes:
 * `deno run -A bench/cold_start.ts [--lanes a,b] [--rounds n]`. The code of the modules is compiled
 * and cached by a round that does not count; the start of the runtime itself is not included.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { formatTable } from "./peers/format_table.ts";
import { laneNames, publishedLane } from "./peers/lane.ts";
import { median } from "./peers/median.ts";
import { runScript } from "./peers/run_script.ts";
import { build } from "../tools/build.ts";

async function firstCallMs(lane: string): Promise<number> {
  try {
    const lines = await runScript(new URL("./peers/first_call.ts", import.meta.url), [lane]);
    return Number(lines[0]);
  } catch {
    return NaN;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      lanes: { type: "string", default: [publishedLane, ...laneNames].join(",") },
      rounds: { type: "string", default: "11" },
    },
  });
  await build("dist/package");
  const times = new Map<string, number[]>(values.lanes.split(",").map((lane) => [lane, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [lane, list] of times) {
      const ms = await firstCallMs(lane);
      if (round > 0) list.push(ms);
    }
  }
  const rows = [...times].map(([lane, list]) => {
    const format = (ms: number): string => Number.isNaN(ms) ? "–" : `${ms.toFixed(1)} ms`;
    return [lane, format(median(list)), format(Math.min(...list)), format(Math.max(...list))];
  });
  console.log(formatTable([["import and first call", "median", "best", "worst"], ...rows]));
}
