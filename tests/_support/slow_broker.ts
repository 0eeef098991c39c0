import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";

/** A broker whose subscriptions become live when the test calls what waits. */
export function slowBroker(): { readonly broker: Broker; readonly waiting: (() => void)[] } {
  const inner = memoryBroker();
  const waiting: (() => void)[] = [];
  const broker: Broker = {
    get activeSubscriptions() {
      return inner.activeSubscriptions;
    },
    publish: inner.publish,
    subscribe: async (...args) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return await inner.subscribe(...args);
    },
  };
  return { broker, waiting };
}
