import type { RequestId } from "../../protocol/json_rpc.ts";

/**
 * The requests that sessions have in flight in this process, for `notifications/cancelled`. Keyed by
 * session and id, the id in type and value: nobody cancels another's request (B2).
 */
export class InFlight {
  readonly #cancels: Map<string, Set<() => void>> = new Map();

  /**
   * Notes a request.
   *
   * @param sid The session.
   * @param id The request's id.
   * @param cancel Cancels it.
   * @returns Forgets it again.
   */
  add(sid: string, id: RequestId, cancel: () => void): () => void {
    const key = keyOf(sid, id);
    let cancels = this.#cancels.get(key);
    if (cancels === undefined) this.#cancels.set(key, cancels = new Set());
    cancels.add(cancel);
    return () => {
      cancels.delete(cancel);
      if (cancels.size === 0) this.#cancels.delete(key);
    };
  }

  /** Cancels a session's requests with this id. @returns Whether there were any. */
  cancel(sid: string, id: RequestId): boolean {
    const cancels = [...this.#cancels.get(keyOf(sid, id)) ?? []];
    for (const cancel of cancels) cancel();
    return cancels.length > 0;
  }
}

function keyOf(sid: string, id: RequestId): string {
  return `${sid} ${JSON.stringify(id)}`;
}
