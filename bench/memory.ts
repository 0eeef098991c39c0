/**
 * Prints the heap before and after many calls, each with a new id:
 * `deno run -A bench/memory.ts [--lanes a,b] [--calls n]`. What a server keeps of a call shows as
 * growth; a warm-up of a tenth of the calls goes before.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { formatTable } from "./peers/format_table.ts";
import { runScript } from "./peers/run_script.ts";

async function measureGrowth(lane: string, calls: string): Promise<readonly string[]> {
  const script = new URL("./peers/hold_heap.ts", import.meta.url);
  try {
    const [before, after] = (await runScript(script, [lane, calls])).map(Number);
    if (before === undefined || after === undefined) throw new Error("No figures");
    const perCall = (after - before) / Number(calls);
    return [lane, megabytes(before), megabytes(after), `${perCall.toFixed(1)} bytes`];
  } catch {
    return [lane, "–", "–", "–"];
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(3)} MB`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      lanes: { type: "string", default: "floor,limen-modern" },
      calls: { type: "string", default: "100000" },
    },
  });
  const rows: (readonly string[])[] = [];
  for (const lane of values.lanes.split(",")) rows.push(await measureGrowth(lane, values.calls));
  console.log(
    formatTable([[`${values.calls} calls`, "before", "after", "growth a call"], ...rows]),
  );
}
