/**
 * A stream of server-sent events that is written faster than it is read without growing: events of
 * one tick leave as one chunk, and what does not fit the buffer is dropped, but for the last.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/server-sent-events.html}
 */
export class EventStream {
  /** What the response carries. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #encoder: TextEncoder = new TextEncoder();
  readonly #maxBufferedBytes: number;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #buffer = "";
  #isHungry = false;
  #isEnding = false;
  #isClosed = false;
  #taken: (() => void) | undefined;

  /**
   * @param options `onCancel` is told when the reader leaves; `maxBufferedBytes` bounds what waits
   * for a slow reader.
   */
  constructor(options: { readonly onCancel: () => void; readonly maxBufferedBytes: number }) {
    this.#maxBufferedBytes = options.maxBufferedBytes;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#feed(),
      cancel: () => {
        this.#isClosed = true;
        this.#buffer = "";
        this.#taken?.();
        options.onCancel();
      },
    }, { highWaterMark: 0 }); // a chunk that waits in the stream would count twice
  }

  /** Writes one JSON message; dropped where the reader is too slow. */
  send(json: string): void {
    if (this.#buffer.length + json.length > this.#maxBufferedBytes) return;
    this.#write(`data: ${json}\n\n`);
  }

  /**
   * Writes one event, whatever its size, and resolves when the reader has taken it or is gone: a writer
   * who waits has one event in memory at a time.
   */
  write(event: { readonly id?: number; readonly json?: string }): Promise<void> {
    const { id, json = "" } = event;
    this.#write(`${id === undefined ? "" : `id: ${id}\n`}data: ${json}\n\n`);
    return new Promise((resolve) => {
      this.#taken = resolve;
      if (this.#isClosed || this.#buffer === "") resolve();
    });
  }

  /** Writes a comment, which readers skip. */
  comment(text: string): void {
    this.#write(`: ${text}\n\n`);
  }

  /** Ends the stream with a comment. */
  finish(text: string): void {
    this.#isEnding = true;
    this.comment(text);
  }

  /** Keeps proxies from closing an idle stream. */
  keepAlive(): void {
    if (this.#buffer === "") this.comment("keepalive");
  }

  /** Writes the last message and ends the stream. */
  end(json: string): void {
    this.#isEnding = true;
    this.#write(`data: ${json}\n\n`);
  }

  /** Ends the stream without another word. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#buffer = "";
    this.#taken?.();
    this.#controller!.close();
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    const isFirst = this.#buffer === "";
    this.#buffer += text;
    if (isFirst && this.#isHungry) queueMicrotask(() => this.#feed());
  }

  #feed(): void {
    if (this.#isClosed) return;
    if (this.#buffer === "") {
      this.#isHungry = true;
      return;
    }
    const text = this.#buffer;
    this.#buffer = "";
    this.#isHungry = false;
    this.#isClosed = this.#isEnding;
    this.#controller!.enqueue(this.#encoder.encode(text)); // may pull at once
    this.#taken?.();
    if (this.#isEnding) this.#controller!.close();
  }
}
