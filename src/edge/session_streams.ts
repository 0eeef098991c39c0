import type { Session } from "../era/legacy/session.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log_event.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import { isRefusal, type Refusal } from "../protocol/refusal.ts";
import type { Heartbeat } from "./heartbeat.ts";
import { inTime } from "./in_time.ts";
import { type Feed, SessionStream } from "./session_stream.ts";

/** How many streams there may be, and for how long. */
export interface SessionStreamsOptions {
  /** The most at a time. */
  readonly maxStreams: number;
  /** The most of one caller. */
  readonly maxStreamsPerCaller: number;
  /** How long each may last, in milliseconds. */
  readonly maxAgeMs: number;
  /** How often an idle stream says that it lives, in milliseconds. */
  readonly keepAliveMs: number;
  /** How long opening one may take, in milliseconds; `null` for ever. */
  readonly dispatchTimeoutMs: number | null;
  /** Tells when time has passed. */
  readonly heartbeat: Heartbeat;
  /** The time that the heartbeat tells. */
  readonly clock: Clock;
  /** Told when a feed fails. */
  readonly log: Log;
}

/** Who listens to what. */
export interface Listening {
  /** The session. */
  readonly session: Session;
  /** The caller, as far as is known: what the cap of one caller goes by. */
  readonly listener: string | undefined;
  /** When the caller's credential expires, in milliseconds since the epoch; absent where it does not. */
  readonly expiresAtMs: number | undefined;
}

/** The streams that this process has open, within their bounds (H-34, B13). */
export class SessionStreams {
  readonly #options: SessionStreamsOptions;
  readonly #open: Set<SessionStream> = new Set();
  #isClosed = false;

  /** Opens nothing yet. */
  constructor(options: SessionStreamsOptions) {
    this.#options = options;
  }

  /**
   * Opens a stream; the one that the session had in this process ends.
   *
   * @param openFeed Opens what the stream carries; not asked where a bound refuses.
   * @returns The body of the response, or the refusal: 429 for a caller who has too many, 503 where the
   * process has, or where opening takes too long.
   */
  async open(
    { session: { sid }, listener, expiresAtMs = Infinity }: Listening,
    openFeed: () => Promise<Feed>,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Refusal> {
    const { maxStreams, maxStreamsPerCaller, maxAgeMs, clock, dispatchTimeoutMs: ms } =
      this.#options;
    for (const stream of this.#open) if (stream.sid === sid) stream.end();
    if (listener !== undefined && this.#count(listener) >= maxStreamsPerCaller) {
      return refuse(429, `Too many streams: a caller may have ${maxStreamsPerCaller}`);
    }
    if (this.#open.size >= maxStreams) return refuse(503, "Too many streams are open");
    const stream = new SessionStream({
      ...this.#options,
      sid,
      listener,
      endsAtMs: Math.min(clock.now() + maxAgeMs, expiresAtMs),
      onEnd: () => this.#open.delete(stream),
    });
    this.#open.add(stream);
    try {
      const opening = openFeed();
      const feed = await inTime(opening, { ms, what: "Opening the stream" });
      if (isRefusal(feed)) {
        stream.end();
        opening.then((late) => late.close()).catch((cause) => this.#report(cause));
        return feed;
      }
      stream.run(feed, clock.now()).catch((cause) => this.#report(cause));
      if (this.#isClosed) stream.end();
    } catch (cause) {
      stream.end();
      throw cause;
    }
    return stream.body;
  }

  /** Ends every stream, and those that are being opened. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #count(listener: string): number {
    let count = 0;
    for (const stream of this.#open) if (stream.listener === listener) count++;
    return count;
  }

  #report(cause: unknown): void {
    const message = "A stream of a session broke";
    this.#options.log({ level: "warning", event: "session.stream", message, cause });
  }
}

function refuse(status: number, message: string): Refusal {
  return {
    refused: "too-many-streams",
    status,
    error: { code: ErrorCode.internalError, message },
    headers: { "retry-after": "5" },
  };
}
