/**
 * Thrown by a store that has no room for a value and may drop nothing to make some. What the key
 * held before is still there. The message says how full the store is, and no key.
 *
 * @example
 * ```ts
 * import { memoryStore, StoreFullError } from "@limen/mcp/stores/memory";
 * import { assertRejects } from "@std/assert";
 *
 * const store = memoryStore({ maxEntries: 4 });
 * for (const id of [1, 2, 3]) await store.set(`session:${id}`, "open");
 * await assertRejects(() => store.set("session:4", "open"), StoreFullError);
 * ```
 */
export class StoreFullError extends Error {
  /** Always `"StoreFullError"`. */
  override readonly name = "StoreFullError" as const;
}
