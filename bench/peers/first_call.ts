/**
 * Imports one lane, builds its server and reads one answer, in a process where nothing of it was
 * loaded before: `first_call.ts <lane>` prints the milliseconds. A bare handler has answered first, so
 * that what every program loads does not count: the classes of the runtime, and the bench's own modules.
 *
 * @module
 */
import { cases } from "./cases.ts";
import type { LaneName } from "./lane.ts";
import { openLane } from "./open_lane.ts";
import { requestBuilder } from "./request_builder.ts";

/** @returns How long it took until the answer was read, in milliseconds. */
async function measureFirstCall(name: LaneName): Promise<number> {
  const start = performance.now();
  const lane = await openLane(name, cases.echo);
  const response = await lane.fetch(requestBuilder(cases.echo, lane)(1_000_000));
  await response.arrayBuffer();
  return performance.now() - start;
}

if (import.meta.main) {
  await measureFirstCall("floor");
  console.log(await measureFirstCall(Deno.args[0] as LaneName));
  Deno.exit();
}
