import type { Caller, Principal } from "../ports/principal.ts";

const MAX_ENTRIES = 1000;
const MAX_AGE_MS = 60_000;
const SWEEP_MS = 1000;

interface Entry<User extends Principal> {
  readonly caller: Caller<User>;
  readonly expiresAtMs: number;
}

/** How a caller was verified. */
export interface Verification {
  /** The key set that was used; it is still the one in use. */
  readonly keys: unknown;
  /** The time. */
  readonly nowMs: number;
  /** When the token expires. */
  readonly expiresAtMs: number;
}

/**
 * Callers whose token was verified, so that the next request with it is not verified again: a
 * thousand at most, for a minute at most, and only while the key set stays the same.
 *
 * Entries are found by the header itself. To digest it first costs more than a whole call does, and
 * keeps little from whoever can read this process's memory, where every request brings its header
 * anyway; a short life keeps more. An entry that is over leaves with the next request of anyone.
 */
export class VerifiedCallers<User extends Principal> {
  readonly #entries: Map<string, Entry<User>> = new Map();
  #keys: unknown;
  #sweepAtMs = Infinity;

  /** How many are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Finds a caller.
   *
   * @param header The value of `Authorization`.
   * @param keys The key set in use; with another one, everything is forgotten.
   * @param nowMs The time.
   */
  get(header: string, keys: unknown, nowMs: number): Caller<User> | undefined {
    if (keys !== this.#keys) this.#startOver(keys);
    if (nowMs >= this.#sweepAtMs) this.#sweep(nowMs);
    const entry = this.#entries.get(header);
    return entry !== undefined && nowMs < entry.expiresAtMs ? entry.caller : undefined;
  }

  /**
   * Remembers a caller.
   *
   * @param header The value of `Authorization`.
   * @param caller Who was verified.
   * @param by The key set that was used, the time, and when the token expires.
   */
  set(header: string, caller: Caller<User>, by: Verification): void {
    const { keys, nowMs } = by;
    if (keys !== this.#keys) this.#startOver(keys);
    const expiresAtMs = Math.min(by.expiresAtMs, nowMs + MAX_AGE_MS);
    if (this.#entries.size >= MAX_ENTRIES) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    this.#entries.set(header, { caller, expiresAtMs });
    this.#sweepAtMs = Math.min(this.#sweepAtMs, Math.max(expiresAtMs, nowMs + SWEEP_MS));
  }

  #startOver(keys: unknown): void {
    this.#entries.clear();
    this.#keys = keys;
  }

  #sweep(nowMs: number): void {
    let next = Infinity;
    for (const [header, { expiresAtMs }] of this.#entries) {
      if (expiresAtMs <= nowMs) this.#entries.delete(header);
      else next = Math.min(next, expiresAtMs);
    }
    this.#sweepAtMs = Math.max(next, nowMs + SWEEP_MS);
  }
}
