import type { ContractCase } from "./contract_case.ts";
import type { KeyValueStore } from "./key_value_store.ts";
import { storeExpiryCases } from "./store_expiry_cases.ts";
import { storeRaceCases } from "./store_race_cases.ts";
import { storeValueCases } from "./store_value_cases.ts";

/** A store, opened for one case. */
export interface OpenStore {
  /** The store. It may hold anything: a case uses keys of its own. */
  readonly store: KeyValueStore;
  /** Closes what `open` opened. Called once, whether the case held or not. Default: nothing to do. */
  readonly close?: () => void | Promise<void>;
  /** Moves the store's clock. Default: the case waits, with a timer. */
  readonly advance?: (ms: number) => void | Promise<void>;
}

/** Options of {@linkcode storeContract}. */
export interface StoreContractOptions {
  /** Begins every title. */
  readonly name: string;
  /** Opens the store; called once in each case. */
  readonly open: () => OpenStore | Promise<OpenStore>;
}

/**
 * Lists what a {@linkcode KeyValueStore} must do, as cases for any test runner. Each one opens the
 * store, and closes it again. Without `advance`, those about expiry wait, for some 10 seconds in
 * all.
 *
 * How a full store behaves is not among them, since that depends on its bounds.
 *
 * @returns The cases; `run` rejects with a plain `Error` that says what was seen.
 *
 * @example With a clock of its own
 * ```ts
 * import { storeContract } from "@limen/mcp/stores/contract";
 * import { memoryStore } from "@limen/mcp/stores/memory";
 *
 * const cases = storeContract({
 *   name: "memoryStore()",
 *   open: () => {
 *     let now = 0;
 *     return { store: memoryStore({ clock: { now: () => now } }), advance: (ms) => void (now += ms) };
 *   },
 * });
 * // Under a test runner: for (const { title, run } of cases) Deno.test(title, run);
 * for (const { run } of cases) await run();
 * ```
 */
export function storeContract(options: StoreContractOptions): readonly ContractCase[] {
  return [...storeValueCases, ...storeExpiryCases, ...storeRaceCases].map(([title, run]) => ({
    title: `${options.name}: ${title}`,
    run: async () => {
      const { store, close, advance = wait } = await options.open();
      const prefix = `contract:${crypto.randomUUID()}:`;
      try {
        await run({
          store,
          key: (name) => prefix + name,
          pass: async (ms) => await advance(ms),
        });
      } finally {
        await close?.();
      }
    },
  }));
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
