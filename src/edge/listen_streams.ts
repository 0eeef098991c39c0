import type { Feed } from "../features/feed.ts";
import { type ErrorOutcome, failure } from "../features/outcome.ts";
import { EventHub } from "../features/subscriptions/event_hub.ts";
import { refuseFull } from "../features/subscriptions/refuse_full.ts";
import type { Visitor } from "../gate/charge_limits.ts";
import type { ListenSlots } from "../gate/listen_slots.ts";
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
  /** Who sent it. */
  readonly visitor: Visitor;
  /** Whether it takes a stream. */
  readonly acceptsStream: boolean;
}

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
  readonly #hub: EventHub | undefined;
  readonly #open: Set<ListenStream> = new Set();
  /** How and when to ask again for the grants of streams that may lose them. */
  readonly #asking: Map<ListenStream, Asking> = new Map();
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
    { topics, first, isStillGranted }: Feed,
    { id, visitor, acceptsStream }: Listening,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | ErrorOutcome> {
    if (!acceptsStream) return NOT_ACCEPTABLE;
    if (topics.length === 0 || this.#hub === undefined) return this.#openAndEnd(id, first);
    const { clock, subscriptionMaxAgeMs, log, slots } = this.#options;
    const full = refuseFull(slots, visitor);
    if (full !== undefined) return full;
    const now = clock.now();
    const endsAtMs = Math.min(
      now + (subscriptionMaxAgeMs ?? Infinity),
      credentialExpiry(visitor.caller) ?? Infinity,
    );
    const listener = slots.take(visitor);
    const stream = new ListenStream({ id, topics, endsAtMs, listener }, this);
    const body = stream.createBody();
    this.#open.add(stream);
    try {
      await this.#hub.join(topics, stream);
    } catch (cause) {
      this.forget(stream);
      const message = "A client could not begin to listen";
      log({ level: "warning", event: "subscription.broker", message, cause });
      return UNAVAILABLE;
    }
    if (isStillGranted !== undefined) {
      this.#asking.set(stream, { isStillGranted, askAtMs: now + GRANTS_LAST_MS });
    }
    if (this.#isClosed) stream.end();
    stream.open(first);
    if (this.#open.size > 0) this.#watch(now);
    return body;
  }

  /** Ends every stream with its result, and those that are being opened. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  /** Writes the result that ends the stream of a request. */
  writeLast(id: RequestId): string {
    return this.#options.writeLast(id);
  }

  /** Forgets a stream, and everything that belongs to it. */
  forget(stream: ListenStream): void {
    if (!this.#open.delete(stream)) return;
    this.#asking.delete(stream);
    this.#hub?.leave(stream.topics, stream);
    this.#options.slots.release(stream.listener);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Where nothing was granted: silence is not held open (S-5). */
  #openAndEnd(id: RequestId, first: string): ReadableStream<Uint8Array<ArrayBuffer>> {
    const none = { id, topics: [], endsAtMs: 0, listener: undefined };
    const stream = new ListenStream(none, this);
    const body = stream.createBody();
    stream.end();
    stream.open(first);
    return body;
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
    for (const stream of this.#open) {
      if (now >= stream.endsAtMs) stream.end();
      else if (isQuiet) stream.keepAlive();
    }
    for (const [stream, asking] of this.#asking) {
      if (now >= asking.askAtMs) this.#ask(stream, asking, now);
    }
  }

  /** A stream that lost a grant ends: its client asks anew, and is told what is left. */
  async #ask(stream: ListenStream, asking: Asking, now: number): Promise<void> {
    asking.askAtMs = now + GRANTS_LAST_MS;
    const isGranted = await asking.isStillGranted().catch(() => false);
    if (!isGranted) stream.end();
  }
}

/** How a stream that may lose its grants is asked about. */
interface Asking {
  readonly isStillGranted: () => Promise<boolean>;
  askAtMs: number;
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
