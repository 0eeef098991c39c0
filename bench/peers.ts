/**
 * Measures Limen beside its peers: `deno task bench:peers`.
 *
 * Every lane runs in a fresh process each round, the rounds go over the lanes in turn, every other
 * one backwards. In its process a lane alternates with the bare handler of `peers/floor.ts`, so
 * that `x` is a ratio of the same process and time. What is printed is the median of the rounds;
 * on a shared machine a difference of 10 % is a tie.
 *
 * Options: `--json` prints one line a result; `--lanes a,b` and `--cases a,b` choose; `--rounds n`
 * (5) and `--budget ms` (300, a case and round) trade time for noise. A run ends within five minutes.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type CaseName, caseNames } from "./peers/cases.ts";
import { formatTable } from "./peers/format_table.ts";
import { type LaneName, laneNames } from "./peers/lane.ts";
import type { Measurement } from "./peers/measure_pair.ts";
import { median } from "./peers/median.ts";
import { runScript } from "./peers/run_script.ts";

interface Options {
  readonly lanes: readonly LaneName[];
  readonly cases: readonly CaseName[];
  readonly rounds: number;
  readonly budgetMs: number;
  readonly json: boolean;
}

/** What the process of a lane prints for one case: a measurement, or why there is none. */
type Result =
  & { readonly case: CaseName; readonly lane: LaneName }
  & (Measurement | { readonly reason: string });

const deadlineMs = 270_000;

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lanes: { type: "string", default: laneNames.join(",") },
      cases: { type: "string", default: caseNames.join(",") },
      rounds: { type: "string", default: "5" },
      budget: { type: "string", default: "300" },
      json: { type: "boolean", default: false },
    },
  });
  return {
    lanes: choose("lane", values.lanes, laneNames),
    cases: choose("case", values.cases, caseNames),
    rounds: Number(values.rounds),
    budgetMs: Number(values.budget),
    json: values.json,
  };
}

function choose<T extends string>(what: string, list: string, known: readonly T[]): readonly T[] {
  return list.split(",").map((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) {
      throw new Error(`Cannot choose ${what} "${name}": known are ${known.join(", ")}`);
    }
    return found;
  });
}

async function measureLane(lane: LaneName, options: Options): Promise<readonly Result[]> {
  try {
    const args = [lane, String(options.budgetMs), ...options.cases];
    const lines = await runScript(new URL("./peers/measure.ts", import.meta.url), args);
    return lines.map((line) => JSON.parse(line));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    return options.cases.map((name) => ({ case: name, lane, reason }));
  }
}

async function measureRounds(options: Options): Promise<readonly Result[]> {
  const start = performance.now();
  const results: Result[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const lanes = round % 2 === 0 ? options.lanes.toReversed() : options.lanes;
    for (const lane of lanes) results.push(...await measureLane(lane, options));
    const elapsedMs = performance.now() - start;
    console.error(`round ${round} of ${options.rounds}: ${Math.round(elapsedMs / 1000)} s`);
    if (elapsedMs * (round + 1) / round > deadlineMs) break;
  }
  return results;
}

function summarise(results: readonly Result[]): Measurement | undefined {
  const measured = results.filter((result) => "us" in result);
  if (measured.length === 0) return undefined;
  return {
    us: Number(median(measured.map(({ us }) => us)).toFixed(2)),
    xFloor: Number(median(measured.map(({ xFloor }) => xFloor)).toFixed(3)),
  };
}

function printTable(options: Options, results: readonly Result[]): void {
  const cell = (lane: LaneName, name: CaseName): string => {
    const summary = summarise(results.filter((r) => r.lane === lane && r.case === name));
    if (summary === undefined) return "–";
    return `${summary.us.toFixed(summary.us < 100 ? 1 : 0)} µs ${summary.xFloor.toFixed(2)}x`;
  };
  const rows = options.lanes.map((
    lane,
  ) => [lane, ...options.cases.map((name) => cell(lane, name))]);
  console.log(formatTable([["", ...options.cases], ...rows]));
  for (const lane of options.lanes) {
    const absent = results.filter((result) => result.lane === lane && "reason" in result);
    const reasons = absent.map((result) => "reason" in result ? result.reason : "");
    for (const reason of new Set(reasons)) console.log(`– ${lane}: ${reason}`);
  }
}

function printLines(options: Options, results: readonly Result[]): void {
  for (const lane of options.lanes) {
    for (const name of options.cases) {
      const summary = summarise(results.filter((r) => r.lane === lane && r.case === name));
      if (summary !== undefined) console.log(JSON.stringify({ case: name, lane, ...summary }));
    }
  }
}

if (import.meta.main) {
  const options = readOptions(Deno.args);
  const results = await measureRounds(options);
  (options.json ? printLines : printTable)(options, results);
}
