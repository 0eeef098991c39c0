import type { OpenLane } from "./lane.ts";
import { createOpen } from "./limen_lanes.ts";

/** Limen as `deno task build` built it. */
export const open: OpenLane = createOpen(
  await import(new URL("../../dist/package/js/mod.js", import.meta.url).href),
);
