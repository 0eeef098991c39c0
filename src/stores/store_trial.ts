import type { KeyValueStore } from "./key_value_store.ts";

/** What a case of the store contract works with. */
export interface StoreTrial {
  /** The store under test. */
  readonly store: KeyValueStore;
  /** Makes a key that no other case and no other run uses. */
  key(name: string): string;
  /** Lets time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
}

/** A case of the store contract: the claim, and how it is tried. */
export type StoreCase = readonly [title: string, run: (trial: StoreTrial) => Promise<void>];
