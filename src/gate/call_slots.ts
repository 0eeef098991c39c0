import { callerKey } from "./caller_key.ts";
import type { Visitor } from "./charge_limits.ts";

/** How many calls there may be in flight in this process. */
export interface CallSlotsOptions {
  /** Of all callers together. */
  readonly maxInFlight: number;
  /** Of one caller. */
  readonly maxInFlightPerCaller: number;
}

/**
 * How many calls are in flight in this process, in all and of each caller (B13). A call that ends at
 * once is never noted. Callers of whom neither id nor address is known are not counted apart: under
 * one key, any of them could lock out all the others.
 */
export class CallSlots {
  readonly #options: CallSlotsOptions;
  readonly #taken: Map<string, number> = new Map();
  #counted = 0;
  #total = 0;

  /** @param options How many calls there may be. */
  constructor(options: CallSlotsOptions) {
    this.#options = options;
  }

  /**
   * Looks for room for one more call of a caller.
   *
   * @returns Whose bound is reached, the caller's or else the process's; `undefined` where there is room.
   */
  findFull({ caller, host }: Visitor): "caller" | "process" | undefined {
    const { maxInFlight, maxInFlightPerCaller } = this.#options;
    if (this.#counted >= maxInFlightPerCaller) {
      const key = callerKey(caller, host);
      if (key !== undefined && (this.#taken.get(key) ?? 0) >= maxInFlightPerCaller) return "caller";
    }
    return this.#total >= maxInFlight ? "process" : undefined;
  }

  /**
   * Notes a call in flight.
   *
   * @returns Forgets it again; to be called once.
   */
  take({ caller, host }: Visitor): () => void {
    this.#total++;
    const key = callerKey(caller, host);
    if (key === undefined) return () => void this.#total--;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    this.#counted++;
    return () => {
      this.#total--;
      this.#counted--;
      const left = this.#taken.get(key)! - 1;
      if (left === 0) this.#taken.delete(key);
      else this.#taken.set(key, left);
    };
  }
}
