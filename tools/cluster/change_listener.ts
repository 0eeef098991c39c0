import type { ClusterClient } from "./cluster_client.ts";

/** One stream, from its acknowledgement on. */
export interface HeardStream {
  /** The process that it is of. */
  readonly url: string;
  /** When the acknowledgement was there, in milliseconds of `performance.now()`. */
  readonly openedAt: number;
  /** The resources of which it told. */
  readonly heard: Set<string>;
  /** How often it told of one again. */
  repeated: number;
  /** Whether it is over. */
  isOver: boolean;
}

/** Where a listener listens, and to what. */
export interface ChangeListenerOptions {
  readonly uris: readonly string[];
  /** Where the processes that live at the moment listen. */
  readonly urls: () => readonly string[];
}

const RETRY_MS = 20;

/** Listens to changes of resources by `subscriptions/listen`, and again elsewhere after each end. */
export class ChangeListener {
  /** Its streams, in order. */
  readonly streams: HeardStream[] = [];
  /** How often less was granted than was asked for. */
  incomplete = 0;
  readonly uris: readonly string[];
  readonly #client: ClusterClient;
  readonly #urls: () => readonly string[];
  readonly #leaving: AbortController = new AbortController();
  readonly #running: Promise<void>;

  /** Begins at once. */
  constructor(client: ClusterClient, { uris, urls }: ChangeListenerOptions) {
    this.#client = client;
    this.uris = uris;
    this.#urls = urls;
    this.#running = this.#run();
  }

  /** Whether a stream is acknowledged and open. */
  get isOpen(): boolean {
    return this.streams.at(-1)?.isOver === false;
  }

  /** Leaves; a stream that is open then is not over. */
  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      const urls = this.#urls();
      // In turn, they would all come together in the process that is killed next.
      const url = urls[Math.floor(Math.random() * urls.length)]!;
      try {
        const response = await this.#client.at(url).subscribe(this.uris, signal);
        if (response.status === 200) await this.#read(response.body!, url);
        else await response.body?.cancel();
      } catch {
        // The stream broke, or there was none.
      }
      const last = this.streams.at(-1);
      if (last !== undefined && !signal.aborted) last.isOver = true;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #read(body: ReadableStream<Uint8Array>, url: string): Promise<void> {
    let stream: HeardStream | undefined;
    let text = "";
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    // The signal of a request is forgotten with it, and then ends nothing.
    this.#leaving.signal.addEventListener("abort", () => reader.cancel().catch(() => {}));
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const json = /^data: (.+)$/m.exec(block)?.[1];
        if (json === undefined) continue;
        const { method, params } = JSON.parse(json);
        if (method === "notifications/subscriptions/acknowledged") {
          stream = this.#begin(params.notifications.resourceSubscriptions, url);
        } else if (method === "notifications/resources/updated") {
          if (stream!.heard.has(params.uri)) stream!.repeated++;
          stream!.heard.add(params.uri);
        }
      }
    }
  }

  #begin(granted: readonly string[] | undefined, url: string): HeardStream {
    if (granted?.length !== this.uris.length) {
      this.incomplete++;
      throw new Error("Less was granted than was asked for");
    }
    const openedAt = performance.now();
    const stream = { url, openedAt, heard: new Set<string>(), repeated: 0, isOver: false };
    this.streams.push(stream);
    return stream;
  }
}
