/**
 * Thrown by a store or a broker whose server did not answer, or answered with an error. Whether a
 * write was made is open then, unless the message says that it was refused. The message says what was
 * tried and names no key; `cause` is what the client threw.
 *
 * @example
 * ```ts
 * import { redisStore, StoreUnavailableError } from "@limen/mcp/stores/redis";
 * import { assertRejects } from "@std/assert";
 *
 * const gone = { command: () => Promise.reject(new Error("Socket closed")) };
 * const store = redisStore(gone, { prefix: "invoices" });
 * await assertRejects(() => store.get("session:1"), StoreUnavailableError);
 * ```
 */
export class StoreUnavailableError extends Error {
  /** Always `"StoreUnavailableError"`. */
  override readonly name = "StoreUnavailableError" as const;
}
