import type { ClusterClient } from "./cluster_client.ts";
import { SessionListener } from "./session_listener.ts";

/** Keeps the machine usable for the others: what is shown does not depend on the pace. */
const PAUSE_MS = 5;

/** Something that is done again and again, until the load is over. */
export interface Load {
  readonly client: ClusterClient;
  /** Does it once, and remembers what was acknowledged. */
  step(): Promise<void>;
}

/** Repeats a load. Rejects when a step fails. */
export async function repeat(load: Load, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await load.step();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Writes notes, each under a key of its own. */
export class Writer implements Load {
  /** What was acknowledged: the keys, whose notes are the keys themselves. */
  readonly keys: string[] = [];
  readonly client: ClusterClient;
  readonly #name: string;

  constructor(client: ClusterClient, name: string) {
    this.client = client;
    this.#name = name;
  }

  async step(): Promise<void> {
    const key = `${this.#name}:${this.keys.length}`;
    await this.client.must("write", { key, value: key });
    this.keys.push(key);
  }
}

/** Sends numbers to its own session, and listens to it. */
export class Teller implements Load {
  /** What was acknowledged: all the numbers up to here. */
  told = 0;
  readonly client: ClusterClient;
  /** The stream of the session. */
  readonly listener: SessionListener;

  constructor(client: ClusterClient) {
    this.client = client;
    this.listener = new SessionListener(client);
  }

  async step(): Promise<void> {
    await this.client.must("tell", { session: this.client.session, n: this.told + 1 });
    this.told++;
    await new Promise((resolve) => setTimeout(resolve, 10 * PAUSE_MS)); // the record is bounded
  }
}

/** Opens sessions, uses them and ends them. */
export class Ender implements Load {
  /** The sessions whose end was acknowledged. */
  readonly ended: string[] = [];
  readonly client: ClusterClient;

  constructor(client: ClusterClient) {
    this.client = client;
  }

  async step(): Promise<void> {
    await this.client.open();
    await this.client.must("whereami");
    await this.client.end();
    this.ended.push(this.client.session);
    await new Promise((resolve) => setTimeout(resolve, 20 * PAUSE_MS)); // marks are bounded
  }
}
