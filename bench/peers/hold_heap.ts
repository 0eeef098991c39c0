/**
 * Calls one lane many times and prints the bytes of the heap before and after, garbage collected:
 * `hold_heap.ts <lane> <calls>`, in a process with `--v8-flags=--expose-gc`.
 *
 * @module
 */
import { cases } from "./cases.ts";
import { heapAfterGc } from "./heap_after_gc.ts";
import type { LaneName } from "./lane.ts";
import { openLane } from "./open_lane.ts";
import { requestBuilder } from "./request_builder.ts";

if (import.meta.main) {
  const calls = Number(Deno.args[1]);
  const lane = await openLane(Deno.args[0] as LaneName, cases.echo);
  const build = requestBuilder(cases.echo, lane);
  let id = 1_000_000;
  const call = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await (await lane.fetch(build(id++))).arrayBuffer();
  };
  await call(calls / 10);
  const before = await heapAfterGc();
  await call(calls);
  const after = await heapAfterGc();
  console.log(`${before}\n${after}`);
  Deno.exit();
}
