import type { ClusterClient } from "./cluster_client.ts";
import { changeUri } from "./wire.ts";

/** A change, between the call that told of it and the answer. */
export interface Change {
  readonly uri: string;
  /** When the call began, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** When it was known to be published; absent where the answer was lost. */
  readonly publishedAt: number | undefined;
}

/** Tells of changes of a group of resources, each of a resource of its own and once. */
export class Changer {
  /** What was told, or may have been. */
  readonly changes: Change[] = [];
  readonly client: ClusterClient;
  readonly #group: number;

  constructor(client: ClusterClient, group: number) {
    this.client = client;
    this.#group = group;
  }

  /** Tells of the next change. */
  async change(): Promise<void> {
    const n = this.changes.length;
    const startedAt = performance.now();
    const result = await this.client.callOnce("change", { group: this.#group, n });
    const publishedAt = result === undefined ? undefined : performance.now();
    this.changes.push({ uri: changeUri(this.#group, n), startedAt, publishedAt });
  }
}
