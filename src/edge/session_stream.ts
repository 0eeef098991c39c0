import type { SessionEvent } from "../era/legacy/session_feed.ts";
import { EventStream } from "./event_stream.ts";
import type { Heartbeat, Pulsing } from "./heartbeat.ts";

/** What a session is sent, until it is closed. */
export interface Feed extends AsyncIterable<SessionEvent> {
  /** Ends it. */
  close(): Promise<void>;
}

/** Whose stream it is, and until when. */
export interface SessionStreamOptions {
  /** The session. */
  readonly sid: string;
  /** Who listens, as far as is known. */
  readonly listener: string | undefined;
  /** When it ends at the latest, in milliseconds since the epoch. */
  readonly endsAtMs: number;
  /** How often an idle stream says that it lives, in milliseconds. */
  readonly keepAliveMs: number;
  /** Tells when time has passed. */
  readonly heartbeat: Heartbeat;
  /** Told once, when it has ended. */
  readonly onEnd: (stream: SessionStream) => void;
}

/** The answer to a GET: the messages of a session, as they come. */
export class SessionStream implements Pulsing {
  /** The session. */
  readonly sid: string;
  /** Who listens, as far as is known. */
  readonly listener: string | undefined;
  readonly #options: SessionStreamOptions;
  readonly #events: EventStream;
  #feed: Feed | undefined;
  #isOver = false;
  #since = 0;

  /** Waits for its feed. */
  constructor(options: SessionStreamOptions) {
    this.sid = options.sid;
    this.listener = options.listener;
    this.#options = options;
    this.#events = new EventStream({ onCancel: () => this.#leave(), maxBufferedBytes: 0 });
    this.#events.comment("stream open");
  }

  /** What the response carries. */
  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#events.body;
  }

  /** Writes what a feed brings, as fast as the reader takes it. Rejects when the feed does. */
  async run(feed: Feed, now: number): Promise<void> {
    this.#feed = feed;
    this.#since = now;
    if (this.#isOver) return await feed.close();
    this.#options.heartbeat.add(this);
    try {
      for await (const event of feed) {
        if (this.#isOver) return;
        await this.#events.write(event);
      }
    } finally {
      this.end();
    }
  }

  /** Keeps the stream alive, and ends it when its time is over. */
  pulse(now: number): void {
    if (now >= this.#options.endsAtMs) return this.end();
    if (now - this.#since < this.#options.keepAliveMs) return;
    this.#since = now;
    this.#events.keepAlive();
  }

  /** Ends the stream, and everything that belongs to it. */
  end(): void {
    if (this.#leave()) this.#events.finish("stream closed");
  }

  /** @returns Whether it was not over yet. */
  #leave(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#options.heartbeat.delete(this);
    this.#options.onEnd(this);
    this.#feed?.close().catch(() => {}); // the broker has logged what failed
    return true;
  }
}
