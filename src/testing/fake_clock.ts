import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until it is told. */
export interface FakeClock extends Clock {
  /**
   * Lets time pass, or goes back.
   *
   * @param ms How many milliseconds.
   * @throws {RangeError} when that is no finite number.
   */
  advance(ms: number): void;
}

/**
 * Makes a clock for tests: the option `clock` of a server and of a memory store takes it, and
 * whatever of your own asks for the time.
 *
 * It moves what is compared with the time: sessions and stored entries that expire, streams that open
 * late or send a keep-alive. Those are looked at by a timer of the system, once a second at most.
 *
 * @param start Milliseconds since the epoch. Default: the start of the year 2026, UTC.
 *
 * @example
 * ```ts
 * import { fakeClock } from "@limen/mcp/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = fakeClock(Date.UTC(2026, 1, 28));
 * clock.advance(24 * 60 * 60 * 1000);
 * assertEquals(new Date(clock.now()).toISOString(), "2026-03-01T00:00:00.000Z");
 * ```
 */
export function fakeClock(start: number = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      if (!Number.isFinite(ms)) throw new RangeError(`Cannot advance clock: ms is ${ms}`);
      now += ms;
    },
  };
}
