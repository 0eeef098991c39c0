import { callerKey } from "./caller_key.ts";
import type { Visitor } from "./charge_limits.ts";

/** How many streams may listen at a time, in this process. */
export interface ListenSlotsOptions {
  /** All together; `null` is no bound. */
  readonly maxSubscriptions: number | null;
  /** Those of one caller. */
  readonly maxSubscriptionsPerCaller: number;
}

/** Whose stream it is: the key of a caller; `undefined` for one of whom nothing is known. */
export type ListenSlot = string | undefined;

/**
 * How many clients listen: the bound of one caller is asked before that of the process (B13). Callers
 * of whom neither id nor address is known count for the process only: under one key, any of them could
 * lock out all the others.
 */
export class ListenSlots {
  readonly #max: number;
  readonly #maxPerCaller: number;
  readonly #callers: Map<string, number> = new Map();
  #taken = 0;

  /** Nobody listens yet. */
  constructor({ maxSubscriptions, maxSubscriptionsPerCaller }: ListenSlotsOptions) {
    this.#max = maxSubscriptions ?? Infinity;
    this.#maxPerCaller = maxSubscriptionsPerCaller;
  }

  /** The bound that one more stream of a caller would exceed; `undefined` where there is room. */
  findFull({ caller, host }: Visitor): { readonly of: "caller" | "process" } | undefined {
    const slot = callerKey(caller, host);
    if (slot !== undefined && (this.#callers.get(slot) ?? 0) >= this.#maxPerCaller) {
      return { of: "caller" };
    }
    return this.#taken >= this.#max ? { of: "process" } : undefined;
  }

  /** Notes a stream. @returns What to release, once. */
  take({ caller, host }: Visitor): ListenSlot {
    const slot = callerKey(caller, host);
    this.#taken++;
    if (slot !== undefined) this.#callers.set(slot, (this.#callers.get(slot) ?? 0) + 1);
    return slot;
  }

  /** Forgets a stream. */
  release(slot: ListenSlot): void {
    this.#taken--;
    if (slot === undefined) return;
    const left = this.#callers.get(slot)! - 1;
    if (left === 0) this.#callers.delete(slot);
    else this.#callers.set(slot, left);
  }
}
