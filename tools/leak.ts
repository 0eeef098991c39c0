/**
 * What clients leave behind who leave without a word: `deno task leak`. Sessions that are opened and
 * left, streams that are aborted and readers who do not read; afterwards the heap, the open files and
 * sockets and what the server counts are back where they were. Prints its figures and ends by itself.
 *
 * `--sessions 10000`, `--streams 10000` and `--readers 1000` are how many there are of each.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { heapAfterGc } from "../bench/peers/heap_after_gc.ts";
import { LeavingClients } from "../tests/leak/leaving_clients.ts";
import { CheckReport } from "./check_report.ts";

/** By how much the heap may differ: 150 bytes for each of ten thousand would show, and code is compiled. */
const MAX_GROWTH_BYTES = 1_500_000;

/** How many sockets of the client may be about to close. */
const MAX_MORE_HANDLES = 2;

const report = new CheckReport();

/** Checks that a scenario leaves nothing: once at a tenth of its size, then in full. */
async function checkLeak(
  title: string,
  count: number,
  run: (clients: LeavingClients, count: number, note: (text: string) => void) => Promise<void>,
): Promise<void> {
  await report.check(`${count} ${title}`, async () => {
    await using clients = new LeavingClients();
    const notes: string[] = [];
    await run(clients, Math.ceil(count / 10), () => {});
    await clients.settle();
    const before = { ...clients.holdings, heap: await heapAfterGc() };
    await run(clients, count, (text) => notes.push(text));
    const held = { ...clients.holdings, heap: await heapAfterGc() };
    await clients.settle();
    const after = { ...clients.holdings, heap: await heapAfterGc() };
    const figures = [
      `heap ${
        [before, held, after].map(({ heap }) => `${(heap / 1e6).toFixed(2)} MB`).join(" > ")
      }`,
      ...(["entries", "subscriptions", "calls", "handles"] as const).map((name) =>
        `${name} ${before[name]} > ${held[name]} > ${after[name]}`
      ),
      ...notes,
    ].join(", ");
    const isClean = after.heap - before.heap <= MAX_GROWTH_BYTES &&
      after.handles - before.handles <= MAX_MORE_HANDLES && after.entries <= before.entries &&
      after.subscriptions <= before.subscriptions && after.calls === 0;
    if (!isClean) throw new Error(figures);
    return figures;
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      sessions: { type: "string", default: "10000" },
      streams: { type: "string", default: "10000" },
      readers: { type: "string", default: "1000" },
    },
  });
  console.log("before > with all of them > after");
  await checkLeak(
    "sessions opened and left",
    Number(values.sessions),
    (clients, count) => clients.openSessions(count),
  );
  await checkLeak(
    "aborted streams",
    Number(values.streams),
    (clients, count) => clients.abortStreams(count),
  );
  await checkLeak(
    "slow readers at once",
    Number(values.readers),
    (clients, count, note) =>
      clients.readSlowly(count, async () => {
        note(`at most ${(await heapAfterGc() / 1e6).toFixed(1)} MB`);
      }),
  );
  report.finish();
  Deno.exit(report.isGood ? 0 : 1);
}
