import type { Subscription } from "../../stores/broker.ts";
import type { ReplayBuffer } from "./replay_buffer.ts";
import { readFrame } from "./session_frame.ts";

/** One event of a session's stream. */
export interface SessionEvent {
  /** Its number, where messages are recorded. */
  readonly id?: number;
  /** The message; absent where only the number is told, for a client to resume from. */
  readonly json?: string;
}

/** What a feed needs. */
export interface SessionFeedOptions {
  /** Which session. */
  readonly sid: string;
  /** Distinguishes the feed from others of its session. */
  readonly token: string;
  /** Listens to the session's topic. */
  readonly subscription: Subscription;
  /** Where messages are recorded. */
  readonly replay?: ReplayBuffer | undefined;
  /** The number of the last message that the client got. */
  readonly lastEventId?: number | undefined;
  /** The newest number before the feed announced itself. */
  readonly newestBefore?: number | undefined;
  /** Whether to begin with a number. */
  readonly isPrimed: boolean;
}

/**
 * What a session is sent, for one stream.
 *
 * Every feed announces itself on the session's topic, and all see the announcements in one order: a
 * feed begins at its own and ends at the next, so that no message goes to two streams. Messages that
 * arrive out of turn are put in order from the record.
 */
export class SessionFeed {
  readonly #options: SessionFeedOptions;
  /** The newest number that was told. */
  #position = 0;
  /** Up to here, the record also holds messages that went to the stream before. */
  #floor = 0;

  /** Begins when its own announcement comes by. */
  constructor(options: SessionFeedOptions) {
    this.#options = options;
  }

  /** Ends it, and with it the subscription. */
  async close(): Promise<void> {
    await this.#options.subscription.close();
  }

  /** Reads the events; for one reader. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void> {
    let hasBegun = false;
    for await (const { payload } of this.#options.subscription) {
      const frame = readFrame(payload);
      if (frame.type === "ended") return;
      if (frame.type === "opened") {
        if (hasBegun) return; // another stream takes over
        hasBegun = frame.token === this.#options.token;
        if (hasBegun) yield* this.#begin();
      } else if (hasBegun) {
        yield* this.#take(frame.json, frame.id);
      }
    }
  }

  async *#begin(): AsyncGenerator<SessionEvent, void> {
    const { replay, sid, lastEventId, newestBefore, isPrimed } = this.#options;
    if (replay === undefined) return;
    const { last, events } = await replay.read(sid);
    // A client cannot have got a number that was never given.
    const isResumed = lastEventId !== undefined && lastEventId <= last;
    this.#position = isResumed ? lastEventId : Math.min(newestBefore ?? last, last);
    this.#floor = isResumed ? 0 : last;
    if (isPrimed) yield { id: this.#position };
    if (isResumed) yield* this.#catchUp(events);
  }

  async *#take(json: string, id: number | undefined): AsyncGenerator<SessionEvent, void> {
    const { replay, sid } = this.#options;
    if (id === undefined || replay === undefined) return yield { json };
    if (id <= this.#floor) {
      // A number below one that was told stays untold: the client would resume from it.
      if (id <= this.#position) return yield { json };
      return yield* this.#catchUp([{ id, json }]);
    }
    const before = Math.max(this.#position, this.#floor);
    if (id > before + 1) {
      const { events } = await replay.read(sid);
      yield* this.#catchUp(events.filter((event) => event.id > before));
    }
    if (id > this.#position) yield* this.#catchUp([{ id, json }]);
  }

  *#catchUp(events: Iterable<Required<SessionEvent>>): Generator<SessionEvent, void> {
    for (const event of events) {
      if (event.id <= this.#position) continue;
      this.#position = event.id;
      yield event;
    }
  }
}
