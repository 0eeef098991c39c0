import { callerKey } from "./caller_key.ts";
import type { Visitor } from "./charge_limits.ts";

/**
 * How many calls each caller has in flight in this process (B13). A call that ends at once is never
 * noted. Callers of whom neither id nor address is known are not counted: under one key, any of them
 * could lock out all the others.
 */
export class CallSlots {
  readonly #maxInFlight: number;
  readonly #taken: Map<string, number> = new Map();
  #total = 0;

  /** @param maxInFlight How many calls a caller may have in flight. */
  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  /** Whether a caller has as many calls in flight as there may be. */
  isFull({ caller, host }: Visitor): boolean {
    if (this.#total < this.#maxInFlight) return false; // nobody can be
    const key = callerKey(caller, host);
    return key !== undefined && (this.#taken.get(key) ?? 0) >= this.#maxInFlight;
  }

  /**
   * Notes a call in flight.
   *
   * @returns Forgets it again; to be called once.
   */
  take({ caller, host }: Visitor): () => void {
    const key = callerKey(caller, host);
    if (key === undefined) return () => {};
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    this.#total++;
    return () => {
      this.#total--;
      const left = this.#taken.get(key)! - 1;
      if (left === 0) this.#taken.delete(key);
      else this.#taken.set(key, left);
    };
  }
}
