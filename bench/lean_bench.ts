/**
 * What the answers to a bulk write cost, in bytes and over the wire: `deno run -A bench/lean_bench.ts`.
 *
 * 1, 60 and 1000 devices of about 720 bytes are created, and answered in full (`echo`, `verify`), by a
 * token (`outcome1`) or by their ids (`outcome2`). A server and a client in this process talk over
 * loopback; each case is measured in turn with the echo of as many devices. `bytes` is the size of the
 * JSON that the model reads, `us` the time of the processor that a call takes at both ends: the server, and a
 * client that does nothing but parse the answer. Medians of the rounds; one more goes before as warm-up.
 *
 * Options: `--json` prints one line a case; `--rounds n` (5) and `--budget ms` (150, a case and round)
 * trade time for noise.
 *
 * @module
 */
import { cpuUsage } from "node:process";
import { parseArgs } from "node:util";
import { LEAN_CASES } from "./lean/lean_cases.ts";
import { openCase } from "./lean/open_case.ts";
import { formatTable } from "./peers/format_table.ts";
import { type Measurement, measurePair, type Pair } from "./peers/measure_pair.ts";
import { median } from "./peers/median.ts";

const COUNTS = [1, 60, 1000] as const;

/** A case with its calls, and what was measured of it so far. */
interface Lane extends Pair {
  readonly name: string;
  readonly bytes: number;
  readonly results: Measurement[];
}

/** What this process has used of the processor. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

async function openLanes(count: number): Promise<readonly Lane[]> {
  const [first, ...rest] = await Promise.all(LEAN_CASES.map((one) => openCase(one, count)));
  const echo = await openCase(LEAN_CASES[0]!, count);
  return [first!, ...rest].map((opened, i) => {
    const name = `${LEAN_CASES[i]!.name}-${count}`;
    return { ...opened, name, measured: opened.call, floor: echo.call, results: [] };
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: [...Deno.args],
    options: {
      rounds: { type: "string", default: "5" },
      budget: { type: "string", default: "150" },
      json: { type: "boolean", default: false },
    },
  });
  const budgetMs = Number(values.budget);
  const lanes = (await Promise.all(COUNTS.map(openLanes))).flat();
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) {
      const result = await measurePair(lane, budgetMs, cpuMs);
      if (round > 0) lane.results.push(result);
    }
  }
  const middle = (lane: Lane, of: keyof Measurement): number =>
    Number(median(lane.results.map((result) => result[of])).toFixed(2));
  if (values.json) {
    for (const lane of lanes) {
      const { name, bytes } = lane;
      console.log(JSON.stringify({ case: name, bytes, us: middle(lane, "us") }));
    }
  } else {
    const rows = lanes.map((lane) => [
      lane.name,
      String(lane.bytes),
      `${middle(lane, "us").toFixed(0)} µs`,
      `${middle(lane, "xFloor").toFixed(2)}x`,
    ]);
    console.log(formatTable([["", "bytes", "a call", "of the echo"], ...rows]));
  }
  Deno.exit(); // ends the servers
}
