import type { Broker, Subscription } from "./broker.ts";
import { brokerDeliveryCases } from "./broker_delivery_cases.ts";
import { brokerEndCases } from "./broker_end_cases.ts";
import type { ContractCase } from "./contract_case.ts";

/** A broker, opened for one case. */
export interface OpenBroker {
  /** The broker. Others may use it: a case uses topics of its own. */
  readonly broker: Broker;
  /** Closes what `open` opened. Called once, whether the case held or not. Default: nothing to do. */
  readonly close?: () => void | Promise<void>;
  /**
   * Breaks the connection, and resolves once the broker has noticed. Default: the broker has none,
   * and the case about losing it holds.
   */
  readonly disconnect?: () => void | Promise<void>;
}

/** Options of {@linkcode brokerContract}. */
export interface BrokerContractOptions {
  /** Begins every title. */
  readonly name: string;
  /** Opens the broker; called once in each case. */
  readonly open: () => OpenBroker | Promise<OpenBroker>;
  /** How long to wait for a message, in milliseconds. Default 5000. */
  readonly patienceMs?: number;
}

/**
 * Lists what a {@linkcode Broker} must do, as cases for any test runner. Each one opens the broker,
 * and closes it and its own subscriptions again.
 *
 * @returns The cases; `run` rejects with a plain `Error` that says what was seen.
 *
 * @example
 * ```ts
 * import { brokerContract } from "@limen/mcp/stores/contract";
 * import { memoryBroker } from "@limen/mcp/stores/memory";
 *
 * const cases = brokerContract({
 *   name: "memoryBroker()",
 *   open: () => ({ broker: memoryBroker() }),
 * });
 * // Under a test runner: for (const { title, run } of cases) Deno.test(title, run);
 * for (const { run } of cases) await run();
 * ```
 */
export function brokerContract(options: BrokerContractOptions): readonly ContractCase[] {
  const { name, open, patienceMs = 5000 } = options;
  return [...brokerDeliveryCases, ...brokerEndCases].map(([title, run]) => ({
    title: `${name}: ${title}`,
    run: async () => {
      const { broker, close, disconnect } = await open();
      const prefix = `contract:${crypto.randomUUID()}:`;
      const subscriptions: Subscription[] = [];
      try {
        await run({
          broker: watch(broker, subscriptions, patienceMs),
          topic: (name) => prefix + name,
          take,
          disconnect,
        });
      } finally {
        await Promise.all(subscriptions.map((subscription) => subscription.close()));
        await close?.();
      }
    },
  }));
}

/** The same broker, whose subscriptions are impatient, and can be closed when a case is over. */
function watch(broker: Broker, subscriptions: Subscription[], patienceMs: number): Broker {
  return {
    get activeSubscriptions() {
      return broker.activeSubscriptions;
    },
    publish: (topic, payload) => broker.publish(topic, payload),
    subscribe: async (topics, options) => {
      const subscription = await broker.subscribe(topics, options);
      subscriptions.push(subscription);
      return {
        get end() {
          return subscription.end;
        },
        close: () => subscription.close(),
        [Symbol.asyncIterator]: () => {
          const iterator = subscription[Symbol.asyncIterator]();
          return {
            next: () => inTime(iterator.next(), patienceMs),
            return: async () => await iterator.return?.() ?? { done: true, value: undefined },
          };
        },
      };
    },
  };
}

async function take(subscription: Subscription, count: number): Promise<readonly string[]> {
  const iterator = subscription[Symbol.asyncIterator]();
  const payloads: string[] = [];
  while (payloads.length < count) {
    const result = await iterator.next();
    if (result.done === true) break;
    payloads.push(result.value.payload);
  }
  return payloads;
}

async function inTime<T>(promise: Promise<T>, patienceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`No message came within ${patienceMs} ms`));
    timer = setTimeout(fail, patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
