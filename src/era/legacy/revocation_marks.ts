import type { KeyValueStore } from "../../stores/key_value_store.ts";
import type { RevocationMarks } from "./sealed_sessions.ts";

/** How many ended sessions one principal may have marked at a time. */
const MAX_MARKS = 1000;

/**
 * Keeps the marks of ended sessions in the server's store, bounded per principal, so that nobody fills
 * the store by opening and ending sessions.
 */
export function createRevocationMarks(store: KeyValueStore): RevocationMarks {
  return {
    mark: async (sid, principal, ttlMs) => {
      const count = await store.increment(`ended-count:${principal}`, 1, { ttlMs });
      if (count <= MAX_MARKS) await store.set(`ended:${sid}`, "1", { ttlMs });
    },
    isMarked: async (sid) => await store.get(`ended:${sid}`) !== undefined,
  };
}
