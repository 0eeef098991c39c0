import type { Broker, Subscription } from "./broker.ts";

/** What a case of the broker contract works with. */
export interface BrokerTrial {
  /** The broker under test; a reader that waits too long for a message rejects. */
  readonly broker: Broker;
  /** Makes a topic that no other case and no other run uses. */
  topic(name: string): string;
  /** Reads the next payloads of a subscription; fewer where it ends. */
  take(subscription: Subscription, count: number): Promise<readonly string[]>;
  /** Breaks the connection, where the broker has one. */
  readonly disconnect: (() => void | Promise<void>) | undefined;
}

/** A case of the broker contract: the claim, and how it is tried. */
export type BrokerCase = readonly [title: string, run: (trial: BrokerTrial) => Promise<void>];
