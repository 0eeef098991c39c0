/**
 * Imports one lane, builds its server and reads one answer, in a process where nothing of it was
 * loaded before: `first_call.ts <lane>` prints the milliseconds.
 *
 * @module
 */
import { cases } from "./cases.ts";
import type { LaneName } from "./lane.ts";
import { openLane } from "./open_lane.ts";
import { requestBuilder } from "./request_builder.ts";

if (import.meta.main) {
  await new Request("http://127.0.0.1/", { method: "POST", body: "{}" }).json(); // the runtime's own
  await Response.json({}).arrayBuffer(); // lazy loading of its classes
  const start = performance.now();
  const lane = await openLane(Deno.args[0] as LaneName, cases.echo);
  const response = await lane.fetch(requestBuilder(cases.echo, lane)(1_000_000));
  await response.arrayBuffer();
  console.log(performance.now() - start);
  Deno.exit();
}
