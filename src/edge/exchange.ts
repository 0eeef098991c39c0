import type { Route, Wire } from "../era/era.ts";
import { textOf } from "../era/text_of.ts";
import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { Clock } from "../ports/clock.ts";
import { outlasts } from "../ports/outlasts.ts";
import { EventStream } from "./event_stream.ts";
import type { Heartbeat, Pulsing } from "./heartbeat.ts";
import type { ResponseWriter } from "./response_writer.ts";

/** How a server answers. */
export interface AnswerOptions {
  /** Whether calls may become streams at all. */
  readonly mayStream: boolean;
  /** After how many milliseconds a call that still runs becomes a stream. */
  readonly streamAfterMs: number;
  /** How often an idle stream says that it lives, in milliseconds. */
  readonly keepAliveMs: number;
  /** Tells when time has passed. */
  readonly heartbeat: Heartbeat;
  /** The time that the heartbeat tells. */
  readonly clock: Clock;
}

const MAX_BUFFERED_BYTES = 1 << 20;

/**
 * One request and its answer: a single JSON message or, where the call reports progress first or
 * takes long, a stream of events that opens late. Until then no signal, no listener and no timer is
 * made that nobody asked for.
 */
export class Exchange implements Pulsing {
  /** Whether the client reads streams. */
  readonly acceptsStream: boolean;
  readonly #request: Request;
  readonly #options: AnswerOptions;
  readonly #writer: ResponseWriter;
  readonly #route: Route;
  #controller: AbortController | undefined;
  #resolve: ((response: Response) => void) | undefined;
  #stream: EventStream | undefined;
  #isOver = false;
  /** Why nobody waits for the answer any more. */
  #abandoned: string | undefined;
  #since = 0;

  /** Prepares the answer to one request. */
  constructor(
    request: Request,
    route: Route,
    options: AnswerOptions,
    client: { readonly writer: ResponseWriter; readonly acceptsStream: boolean },
  ) {
    this.#request = request;
    this.#options = options;
    this.#writer = client.writer;
    this.acceptsStream = client.acceptsStream;
    this.#route = route;
  }

  get #canStream(): boolean {
    const { era, message } = this.#route;
    return this.#options.mayStream && this.acceptsStream &&
      era.methods.get(message.method)?.neverStreams !== true;
  }

  get #cancelsOnDisconnect(): boolean {
    return this.#route.era.cancelsOnDisconnect;
  }

  /** Aborted when the client leaves or cancels; made when first read. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abandoned !== undefined) this.#abort(this.#abandoned);
      else if (this.#cancelsOnDisconnect && !this.#isOver) this.#listen();
    }
    return this.#controller.signal;
  }

  #listen(): void {
    const { signal } = this.#request;
    signal.addEventListener("abort", () => this.#leave(), { once: true });
    if (signal.aborted) this.#leave();
  }

  /** Sends a notification that belongs to the request; opens the stream. */
  send(json: string): void {
    if (this.#isOver || !this.#canStream) return;
    this.#open().send(json);
  }

  /** Answers with what the call comes to. */
  respond(pending: Awaitable<Wire>): Awaitable<Response> {
    if (!isThenable(pending)) return this.#respondAtOnce(pending);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      if (this.#stream !== undefined) this.#publish();
      else if (this.#isOver) resolve(this.#writer.gone());
      else if (this.#canStream) this.#watch();
      pending.then((wire) => this.#finish(wire)).catch((cause) => {
        this.#stream?.close();
        reject(cause);
      });
    });
  }

  #respondAtOnce(wire: Wire): Response {
    this.#isOver = true;
    if (this.#stream === undefined) return this.#writer.message(wire);
    this.#stream.end(textOf(wire.body));
    return this.#writer.stream(this.#stream.body);
  }

  /** Opens the stream of a call that takes long, and keeps it alive. */
  pulse(now: number): void {
    const { keepAliveMs, streamAfterMs } = this.#options;
    const waited = now - this.#since;
    if (this.#stream === undefined) {
      if (waited < streamAfterMs) return;
      this.#open().keepAlive();
    } else {
      if (waited < keepAliveMs) return;
      this.#stream.keepAlive();
    }
    this.#since = now;
  }

  #open(): EventStream {
    if (this.#stream === undefined) {
      this.#stream = new EventStream({
        onCancel: () => this.#leave(),
        maxBufferedBytes: MAX_BUFFERED_BYTES,
      });
      if (this.#resolve !== undefined) this.#publish();
    }
    return this.#stream;
  }

  #publish(): void {
    this.#resolve?.(this.#writer.stream(this.#stream!.body));
    if (this.#isOver) return;
    this.#since = this.#options.clock.now();
    this.#options.heartbeat.add(this);
  }

  /** Most calls are over within a few microtasks: no timer is set for those. */
  async #watch(): Promise<void> {
    const isSettled = () => this.#isOver || this.#stream !== undefined;
    if (!await outlasts(isSettled) || isSettled()) return;
    this.#since = this.#options.clock.now();
    this.#options.heartbeat.add(this);
  }

  #finish(wire: Wire): void {
    if (this.#isOver) return void wire.stream?.cancel();
    this.#end();
    if (wire.stream !== undefined) this.#resolve!(this.#writer.stream(wire.stream));
    else if (this.#stream === undefined) this.#resolve!(this.#writer.message(wire));
    else this.#stream.end(textOf(wire.body));
  }

  /** The client cancelled its request: the call is told, and it is not answered any more. */
  cancel(): void {
    const hasLeft = this.#isOver; // and may still cancel, in the legacy era
    this.#abandon("The client cancelled the request");
    if (hasLeft) return;
    this.#stream?.close();
    this.#resolve?.(this.#writer.accepted());
  }

  /** Tells the call that its work is not waited for any longer; it is still answered. */
  stop(reason: string): void {
    if (this.#isOver) return;
    this.#abandoned = reason;
    this.#abort(reason);
  }

  /** Whether nobody waits for the answer any more. */
  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /** The client is gone; in the legacy era that does not cancel its request. */
  #leave(): void {
    if (this.#isOver) return;
    if (this.#cancelsOnDisconnect) this.#abandon("The client disconnected");
    else this.#end();
    this.#stream?.close();
    this.#resolve?.(this.#writer.gone());
  }

  #abandon(reason: string): void {
    this.#end();
    this.#abandoned = reason;
    this.#abort(reason);
  }

  #abort(reason: string): void {
    this.#controller?.abort(new DOMException(reason, "AbortError"));
  }

  #end(): void {
    this.#isOver = true;
    this.#options.heartbeat.delete(this);
  }
}
