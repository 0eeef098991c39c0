import type { Clock } from "../ports/clock.ts";

/** Something that wants to be told, now and then, that time has passed. */
export interface Pulsing {
  /** @param now Milliseconds since the epoch. */
  pulse(now: number): void;
}

/**
 * One timer for all requests that take long: it runs only while there are any, so that nothing is
 * left behind when the last one ends.
 */
export class Heartbeat {
  readonly #members: Set<Pulsing> = new Set();
  readonly #intervalMs: number;
  readonly #clock: Clock;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param intervalMs How often to tell.
   * @param clock Which time to tell.
   */
  constructor(intervalMs: number, clock: Clock) {
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  /** Starts telling a member. */
  add(member: Pulsing): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#pulse(), this.#intervalMs);
  }

  /** Stops telling it; harmless for one that is not told. */
  delete(member: Pulsing): void {
    if (!this.#members.delete(member) || this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #pulse(): void {
    const now = this.#clock.now();
    for (const member of this.#members) member.pulse(now);
  }
}
