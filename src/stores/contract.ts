/**
 * What every store and every broker must do, as a list of cases that run under any test runner, or
 * under none: for whoever writes a {@linkcode KeyValueStore} or a {@linkcode Broker} of their own.
 *
 * A function that opens the store or the broker goes in; titles and functions come out, each of which
 * rejects with a plain `Error` that says what was seen. The cases never touch a key or a topic that
 * is not theirs, beside five well-known keys that are no server's (`""`, `"__proto__"`,
 * `"constructor"`, `"limit:"` and `"continuation:"`), and register nothing with a test runner.
 *
 * @example
 * ```ts
 * import { brokerContract, storeContract } from "@limen/mcp/stores/contract";
 * import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
 *
 * const cases = [
 *   ...storeContract({
 *     name: "memoryStore()",
 *     open: () => {
 *       let now = 0;
 *       return { store: memoryStore({ clock: { now: () => now } }), advance: (ms) => void (now += ms) };
 *     },
 *   }),
 *   ...brokerContract({ name: "memoryBroker()", open: () => ({ broker: memoryBroker() }) }),
 * ];
 * for (const { run } of cases) await run();
 * ```
 *
 * @module
 */
export type {
  Broker,
  BrokerMessage,
  SubscribeOptions,
  Subscription,
  SubscriptionEnd,
} from "./broker.ts";
export { brokerContract, type BrokerContractOptions, type OpenBroker } from "./broker_contract.ts";
export type { ContractCase } from "./contract_case.ts";
export type {
  CompareAndSetOptions,
  IncrementOptions,
  KeyValueStore,
  SetOptions,
} from "./key_value_store.ts";
export { type OpenStore, storeContract, type StoreContractOptions } from "./store_contract.ts";
