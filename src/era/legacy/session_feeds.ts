import type { Log } from "../../ports/log_event.ts";
import type { Broker } from "../../stores/broker.ts";
import type { ReplayBuffer } from "./replay_buffer.ts";
import type { Session } from "./session.ts";
import { SessionFeed } from "./session_feed.ts";
import { writeFrame } from "./session_frame.ts";

/** What feeds need. */
export interface SessionFeedsOptions {
  /** Carries messages to the process that has the stream. */
  readonly broker: Broker;
  /** Records messages; absent where none are replayed. */
  readonly replay: ReplayBuffer | undefined;
  /** Told when the store or the broker fails. */
  readonly log: Log;
}

/** The revision that has clients resume from an event without a message. */
const PRIMED_SINCE = "2025-11-25";

/** Sends messages to sessions, whichever process has their stream (H-32). */
export class SessionFeeds {
  readonly #broker: Broker;
  readonly #replay: ReplayBuffer | undefined;
  readonly #log: Log;

  /** Opens nothing yet. */
  constructor({ broker, replay, log }: SessionFeedsOptions) {
    this.#broker = broker;
    this.#replay = replay;
    this.#log = log;
  }

  /**
   * Sends a message to a session.
   *
   * @returns Whether a stream of it is open; a record keeps the message in any case.
   */
  async send(sid: string, json: string): Promise<boolean> {
    // Without a record nothing is awaited, so that messages leave in the order of the calls.
    const id = this.#replay === undefined ? undefined : await this.#record(this.#replay, sid, json);
    const frame = writeFrame({ type: "message", json, ...(id === undefined ? {} : { id }) });
    try {
      return await this.#broker.publish(topicOf(sid), frame) > 0;
    } catch (cause) {
      this.#report("Sending to a session failed", cause);
      return false;
    }
  }

  /** What cannot be recorded is still sent, and cannot be replayed. */
  async #record(replay: ReplayBuffer, sid: string, json: string): Promise<number | undefined> {
    try {
      return await replay.record(sid, json);
    } catch (cause) {
      this.#report("Recording a message failed", cause);
      return undefined;
    }
  }

  /**
   * Opens the feed of a session, and ends the one before, in any process.
   *
   * @param lastEventId What the client sent of it: anything but digits counts as nothing.
   */
  async open(session: Session, lastEventId: string | null): Promise<SessionFeed> {
    const { sid, revision } = session;
    const subscription = await this.#broker.subscribe([topicOf(sid)]);
    const token = crypto.randomUUID();
    const given = readEventId(lastEventId);
    let newestBefore: number | undefined;
    try {
      // The client has to be able to resume from before whatever this feed brings.
      if (given === undefined) newestBefore = (await this.#replay?.read(sid))?.last;
      await this.#broker.publish(topicOf(sid), writeFrame({ type: "opened", token }));
    } catch (cause) {
      await subscription.close();
      throw cause;
    }
    return new SessionFeed({
      sid,
      token,
      subscription,
      replay: this.#replay,
      lastEventId: given,
      newestBefore,
      isPrimed: revision >= PRIMED_SINCE,
    });
  }

  /** Ends the streams of a session everywhere, and forgets what it was sent (H-28). */
  async end(sid: string): Promise<void> {
    try {
      await this.#broker.publish(topicOf(sid), writeFrame({ type: "ended" }));
    } catch (cause) {
      this.#report("Ending the streams of a session failed", cause);
    }
    try {
      await this.#replay?.forget(sid);
    } catch (cause) {
      this.#report("Forgetting what a session was sent failed", cause);
    }
  }

  #report(message: string, cause: unknown): void {
    this.#log({ level: "warning", event: "session.feed", message, cause });
  }
}

function readEventId(text: string | null): number | undefined {
  return /^[0-9]{1,15}$|^[0-8][0-9]{15}$/.test(text ?? "") ? Number(text) : undefined;
}

function topicOf(sid: string): string {
  return `session:${sid}`;
}
