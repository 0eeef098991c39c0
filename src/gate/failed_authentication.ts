import type { HostContext } from "../ports/host_context.ts";
import { anonymous } from "../ports/principal.ts";
import { addressKey } from "./address_key.ts";
import { chargeLimits, type Limits } from "./charge_limits.ts";

/**
 * Counts the requests that failed to authenticate, by address (B9), and shuts the addresses out that
 * had too many. The mark is in the store, so that all processes know it.
 */
export class FailedAuthentication {
  readonly #limits: Limits;

  /** @param limits What counts the failures. */
  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Looks whether an address is shut out.
   *
   * @returns For how many more seconds; `undefined` where it is not.
   */
  async find(host: HostContext): Promise<number | undefined> {
    const key = markOf(host);
    const until = key === undefined ? undefined : await this.#limits.store.get(key);
    if (until === undefined) return undefined;
    return Math.max(1, Math.ceil((Number(until) - this.#limits.now()) / 1000));
  }

  /**
   * Counts a failure.
   *
   * @returns For how many seconds the address is shut out now; `undefined` where it is not.
   */
  async count(host: HostContext): Promise<number | undefined> {
    const key = markOf(host);
    if (key === undefined) return undefined;
    const seconds = await chargeLimits(this.#limits, { caller: { user: anonymous }, host });
    if (seconds === undefined) return undefined;
    const ttlMs = seconds * 1000;
    await this.#limits.store.set(key, String(this.#limits.now() + ttlMs), { ttlMs });
    return seconds;
  }
}

function markOf(host: HostContext): string | undefined {
  const key = addressKey(host.clientAddress);
  return key === undefined ? undefined : `limit:shut-out:${key}`;
}
