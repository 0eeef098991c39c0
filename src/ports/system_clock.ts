import type { Clock } from "./clock.ts";

/** The clock of the system. */
export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
