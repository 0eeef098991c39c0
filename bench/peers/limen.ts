import * as limen from "../../mod.ts";
import type { OpenLane } from "./lane.ts";
import { createOpen } from "./limen_lanes.ts";

/** Limen, from its sources. */
export const open: OpenLane = createOpen(limen);
