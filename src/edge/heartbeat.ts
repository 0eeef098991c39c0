import type { Clock } from "../ports/clock.ts";
import { systemClock } from "../ports/system_clock.ts";

/** Something that wants to be told, now and then, that time has passed. */
export interface Pulsing {
  /** @param now Milliseconds since the epoch. */
  pulse(now: number): void;
}

/**
 * Tells requests that take long that time has passed. Each has a timer of its own, and none is left
 * behind when it ends: on Workers a timer dies with the request that set it, so one that several
 * requests shared would leave the others without.
 */
export class Heartbeat {
  readonly #timers: Map<Pulsing, ReturnType<typeof setInterval>> = new Map();
  readonly #intervalMs: number;
  readonly #clock: Clock;

  /**
   * @param intervalMs How often to tell.
   * @param clock Which time to tell. Default: that of the system.
   */
  constructor(intervalMs: number, clock: Clock = systemClock) {
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  /** Starts telling a member; harmless for one that is told already. */
  add(member: Pulsing): void {
    if (this.#timers.has(member)) return;
    const pulse = () => member.pulse(this.#clock.now());
    this.#timers.set(member, setInterval(pulse, this.#intervalMs));
  }

  /** Stops telling it; harmless for one that is not told. */
  delete(member: Pulsing): void {
    const timer = this.#timers.get(member);
    if (timer === undefined) return;
    clearInterval(timer);
    this.#timers.delete(member);
  }
}
