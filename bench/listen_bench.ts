/**
 * Prints what a stream of `subscriptions/listen` takes while it is idle, how many events a second
 * reach 1000 streams, and the processor's time for each delivery, reading included, beside the
 * official SDK: `deno run -A bench/listen_bench.ts [--streams n] [--events n] [--rounds n]`. Every
 * figure is the median of fresh processes, in turns. The library asks whether the caller may read a
 * resource, and asks again while the stream lasts; the SDK does not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { formatTable } from "./peers/format_table.ts";
import { median } from "./peers/median.ts";
import { runScript } from "./peers/run_script.ts";

const LANES = ["limen", "sdk2"] as const;
const FILTERS = ["lists", "resource"] as const;
const SCRIPT = new URL("./peers/hold_streams.ts", import.meta.url);
const HEAD = ["bytes an idle stream", "events a second to all", "\u03bcs a delivery"];

/** One row for each lane, and one that holds the first against the second. */
async function measure(
  filter: string,
  { streams, events, rounds }: Readonly<Record<"streams" | "events" | "rounds", string>>,
): Promise<readonly (readonly string[])[]> {
  const runs = new Map(LANES.map((lane) => [lane, [] as number[][]]));
  for (let round = 0; round < Number(rounds); round++) {
    for (const lane of round % 2 === 0 ? LANES : LANES.toReversed()) {
      const lines = await runScript(SCRIPT, [lane, filter, streams, events]);
      runs.get(lane)!.push(lines.map(Number));
    }
  }
  const figures = LANES.map((lane) =>
    HEAD.map((_, column) => median(runs.get(lane)!.map((run) => run[column]!)))
  );
  const [own, peer] = figures as [number[], number[]];
  return [
    ...LANES.map((lane, i) => [
      `${filter}, ${lane}`,
      ...figures[i]!.map((figure) => figure.toFixed(figure < 10 ? 2 : 0)),
    ]),
    [`${filter}, limen of sdk2`, ...own.map((figure, i) => `${(figure / peer[i]!).toFixed(2)}x`)],
  ];
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      streams: { type: "string", default: "1000" },
      events: { type: "string", default: "600" },
      rounds: { type: "string", default: "3" },
    },
  });
  const rows: (readonly string[])[] = [];
  for (const filter of FILTERS) rows.push(...await measure(filter, values));
  console.log(formatTable([[`${values.streams} streams`, ...HEAD], ...rows]));
}
