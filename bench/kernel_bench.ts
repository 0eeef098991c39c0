/**
 * What a feature of the kernel costs when a spec uses it: `deno run -A bench/kernel_bench.ts`.
 *
 * The cases of a group answer the same request, through `server.fetch` in this process. Each is
 * measured in turn with the plain case of its group, which does the same work and declares nothing;
 * `x` is the ratio of the two, in time of the processor: nothing here waits. The rounds go over the cases in turn, every other one backwards, and
 * what is printed is the median of the rounds. The plain case against itself shows the noise.
 *
 * Options: `--json` prints one line a result; `--rounds n` (5) and `--budget ms` (150, a case and
 * round) trade time for noise.
 *
 * @module
 */
import { cpuUsage } from "node:process";
import { parseArgs } from "node:util";
import { callCases } from "./kernel/call_cases.ts";
import type { CaseGroup, KernelCase } from "./kernel/kernel_case.ts";
import { listCases } from "./kernel/list_cases.ts";
import { rowCases } from "./kernel/row_cases.ts";
import { type Call, callOf } from "./peers/call_of.ts";
import { formatTable } from "./peers/format_table.ts";
import { type Measurement, measurePair, type Pair } from "./peers/measure_pair.ts";
import { median } from "./peers/median.ts";
import { readAnswer } from "./peers/read_answer.ts";
import { requestBuilder } from "./peers/request_builder.ts";

/** A case with its calls, and what was measured of it so far. */
interface Lane extends Pair {
  readonly group: string;
  readonly name: string;
  readonly results: Measurement[];
}

/** Builds a case, and verifies its answer: a fast refusal must not look like a fast server. */
async function openCall(group: CaseGroup, { name, build }: KernelCase): Promise<Call> {
  const { fetch } = build();
  const tool = group.method === "tools/call" ? "run" : "";
  const workload = { tools: [], method: group.method, tool, arguments: group.arguments, frames: 0 };
  const request = requestBuilder(workload, { fetch, wire: "modern" });
  const { response } = await readAnswer(await fetch(request(1_000_000)));
  const answer = JSON.stringify(response);
  if (!answer.includes(group.marker) || answer.includes('"isError":true')) {
    throw new Error(`Cannot measure "${name}": it answers ${answer.slice(0, 200)}`);
  }
  return callOf(fetch, request);
}

async function openLanes(group: CaseGroup): Promise<readonly Lane[]> {
  const floor = await openCall(group, group.cases[0]);
  const lanes: Lane[] = [];
  for (const each of group.cases) {
    const measured = await openCall(group, each);
    lanes.push({ group: group.title, name: each.name, measured, floor, results: [] });
  }
  return lanes;
}

/** What this process has used of the processor. */
function cpuMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

function summarise({ results }: Lane): Measurement {
  return {
    us: Number(median(results.map(({ us }) => us)).toFixed(2)),
    xFloor: Number(median(results.map(({ xFloor }) => xFloor)).toFixed(3)),
  };
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
  const lanes = (await Promise.all([callCases, rowCases, listCases].map(openLanes))).flat();
  for (const lane of lanes) await measurePair(lane, budgetMs, cpuMs); // compiles the code
  for (let round = 1; round <= Number(values.rounds); round++) {
    const turn = round % 2 === 0 ? lanes.toReversed() : lanes;
    for (const lane of turn) lane.results.push(await measurePair(lane, budgetMs, cpuMs));
  }
  if (values.json) {
    for (const lane of lanes) {
      const { group, name } = lane;
      const { us, xFloor } = summarise(lane);
      console.log(JSON.stringify({ group, case: name, us, xPlain: xFloor }));
    }
  } else {
    const rows = lanes.map((lane) => {
      const { us, xFloor } = summarise(lane);
      return [`${lane.group}: ${lane.name}`, `${us.toFixed(1)} µs`, `${xFloor.toFixed(2)}x`];
    });
    console.log(formatTable([["", "a call", "of plain"], ...rows]));
  }
}
