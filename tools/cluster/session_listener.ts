import type { ClusterClient } from "./cluster_client.ts";

const RETRY_MS = 20;

/** Listens to a session by GET, and again after each end, from the last message that it got. */
export class SessionListener {
  /** The numbers that it was told. */
  readonly numbers: Set<number> = new Set();
  /** How many streams it had. */
  streams = 0;
  /** How many messages came a second time under one id. */
  repeated = 0;
  /** Whether a stream is open. */
  isOpen = false;
  readonly #client: ClusterClient;
  readonly #leaving: AbortController = new AbortController();
  readonly #ids: Set<string> = new Set();
  readonly #running: Promise<void>;
  #last: string | undefined;

  /** Begins at once. */
  constructor(client: ClusterClient) {
    this.#client = client;
    this.#running = this.#run();
  }

  /** Leaves. */
  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        const response = await this.#client.listen(this.#last, signal);
        if (response.status === 200) await this.#read(response.body!);
        else await response.body?.cancel();
      } catch {
        // The stream broke.
      }
      this.isOpen = false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    this.streams++;
    let text = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      this.isOpen = true;
      const blocks = (text + chunk).split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const id = /^id: (.+)$/m.exec(block)?.[1];
    const json = /^data: (.+)$/m.exec(block)?.[1];
    if (id !== undefined) this.#last = id;
    if (json === undefined) return;
    if (id !== undefined && this.#ids.has(id)) this.repeated++;
    if (id !== undefined) this.#ids.add(id);
    this.numbers.add(JSON.parse(json).params.n);
  }
}
