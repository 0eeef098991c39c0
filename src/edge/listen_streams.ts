import type { Feed } from "../features/feed.ts";
import { type ErrorOutcome, failure } from "../features/outcome.ts";
import { EventHub } from "../features/subscriptions/event_hub.ts";
import { refuseFull } from "../features/subscriptions/refuse_full.ts";
import type { Visitor } from "../gate/charge_limits.ts";
import type { ListenSlots } from "../gate/listen_slots.ts";
import type { CallRequest } from "../kernel/call_context.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Broker } from "../stores/broker.ts";
import { credentialExpiry } from "./credential_expiry.ts";
import { ListenStream, type ListenStreamOwner } from "./listen_stream.ts";

/** How many streams there may be, and for how long. */
export interface ListenStreamsOptions {
  /** Carries the events; absent where nothing is ever granted. */
  readonly broker?: Broker | undefined;
  /** How many there may be. */
  readonly slots: ListenSlots;
  /** How long each may last, in milliseconds; `null` is no bound. */
  readonly subscriptionMaxAgeMs: number | null;
  /** How often an idle stream says that it lives, in milliseconds. */
  readonly keepAliveMs: number;
  /** Which time it is. */
  readonly clock: Clock;
  /** Told when the broker fails. */
  readonly log: Logger;
  /** Writes the result that ends the stream of a request, as JSON text. */
  readonly writeLast: (id: RequestId) => string;
}

/** Who listens, and how. */
export interface Listening {
  /** The id of the request. */
  readonly id: RequestId;
  /** Who sent it, with a request of which no more is kept than will be asked for. */
  readonly call: Visitor & { readonly request: { keep(): CallRequest } };
  /** Whether it takes a stream. */
  readonly acceptsStream: boolean;
}

/** How long a grant is taken for granted (B11). */
const GRANTS_LAST_MS = 300_000;

/**
 * The streams of `subscriptions/listen` that this process has open, within their bounds (S-7, B11,
 * B13).
 *
 * One timer serves all of them, and there is none while nobody listens. On a platform that ends timers
 * with the request that set them, whoever listens next sets it again.
 */
export class ListenStreams implements ListenStreamOwner {
  /** Writes text as bytes. */
  readonly encoder: TextEncoder = new TextEncoder();
  readonly #options: ListenStreamsOptions;
  readonly #hub: EventHub<ListenStream> | undefined;
  /** What the times of the streams count from: when the first began. */
  #beganMs: number | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #beatMs = 0;
  #keptAliveMs = 0;
  #isClosed = false;

  /** Opens nothing yet. */
  constructor(options: ListenStreamsOptions) {
    this.#options = options;
    this.#hub = options.broker && new EventHub(options.broker, options.log);
  }

  /**
   * Opens a stream: it begins with the acknowledgement, and hears of everything that is published
   * after.
   *
   * @returns The body of the response, or what is answered in its place.
   */
  async open(
    { lists, watched, first }: Feed,
    { id, call, acceptsStream }: Listening,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | ErrorOutcome> {
    if (!acceptsStream) return NOT_ACCEPTABLE;
    const isSilent = lists.length + watched.length === 0;
    if (isSilent || this.#hub === undefined) return this.#beginAndEnd(first, id);
    const { clock, subscriptionMaxAgeMs, log, slots } = this.#options;
    const full = refuseFull(slots, call);
    if (full !== undefined) return full;
    const now = clock.now();
    const began = this.#beganMs ??= now;
    const endsAtMs = Math.min(
      now + (subscriptionMaxAgeMs ?? Infinity),
      credentialExpiry(call.caller) ?? Infinity,
    );
    const { caller, host } = call;
    const stream = new ListenStream({
      lists,
      watched: this.#hub.share(watched),
      id,
      caller,
      host,
      request: watched.length === 0 ? undefined : call.request.keep(),
      endsAt: endsAtMs === Infinity ? undefined : Math.floor(endsAtMs - began),
      asksAt: Math.floor(now - began + GRANTS_LAST_MS),
      slot: slots.take(call),
    }, this);
    const body = stream.createBody();
    try {
      await this.#hub.join(stream.topics, stream);
    } catch (cause) {
      this.forget(stream);
      const message = "A client could not begin to listen";
      log({ level: "warning", event: "subscription.broker", message, cause });
      return UNAVAILABLE;
    }
    if (this.#isClosed) stream.end();
    stream.open(first);
    if (!this.#hub.isIdle) this.#watch(now);
    return body;
  }

  /** Ends every stream with its result, and those that are being opened. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#hub?.listeners() ?? []) stream.end();
  }

  /** Writes the result that ends the stream of a request. */
  writeLast(id: RequestId): string {
    return this.#options.writeLast(id);
  }

  /** Forgets a stream, and everything that belongs to it; called once. */
  forget(stream: ListenStream): void {
    this.#hub!.leave(stream.topics, stream);
    this.#options.slots.release(stream.slot);
    if (!this.#hub!.isIdle) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Where nothing was granted: silence is not held open (S-5). */
  #beginAndEnd(first: string, id: RequestId): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new Response(`data: ${first}\n\ndata: ${this.writeLast(id)}\n\n`).body!;
  }

  /** Sees to it that there is a timer. */
  #watch(now: number): void {
    const intervalMs = Math.min(this.#options.keepAliveMs, 1000);
    const isDead = now - this.#beatMs > 10 * intervalMs;
    if (this.#timer !== undefined && !isDead) return;
    clearInterval(this.#timer);
    this.#beatMs = now;
    this.#keptAliveMs = now;
    this.#timer = setInterval(() => this.#beat(), intervalMs);
  }

  #beat(): void {
    const { clock, keepAliveMs } = this.#options;
    const now = clock.now();
    this.#beatMs = now;
    const isQuiet = now - this.#keptAliveMs >= keepAliveMs;
    if (isQuiet) this.#keptAliveMs = now;
    const age = now - this.#beganMs!;
    for (const stream of this.#hub!.listeners()) {
      if (stream.endsAt !== undefined && age >= stream.endsAt) stream.end();
      else if (isQuiet) stream.keepAlive();
      if (age >= stream.asksAt) this.#ask(stream, age);
    }
  }

  /** A stream that lost a grant ends: its client asks anew, and is told what is left. */
  async #ask(stream: ListenStream, age: number): Promise<void> {
    stream.asksAt = age + GRANTS_LAST_MS;
    try {
      for (const { isGranted } of stream.watched) {
        if (isGranted !== undefined && !await isGranted(stream)) return stream.end();
      }
    } catch {
      stream.end(); // nobody can tell
    }
  }
}

const NOT_ACCEPTABLE: ErrorOutcome = {
  ...failure(ErrorCode.invalidRequest, "Not acceptable: accept text/event-stream"),
  status: 406,
};

const UNAVAILABLE: ErrorOutcome = {
  ...failure(ErrorCode.internalError, "Subscriptions are not available: try again later"),
  status: 503,
  retryAfter: 5,
};
