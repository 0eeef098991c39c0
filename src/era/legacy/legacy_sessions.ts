import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log_event.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { Broker } from "../../stores/broker.ts";
import { InFlight } from "./in_flight.ts";
import { OrderedTasks } from "./ordered_tasks.ts";
import type { ReplayBuffer } from "./replay_buffer.ts";
import type { SessionCaller, Sessions } from "./session.ts";
import { SessionFeeds } from "./session_feeds.ts";
import { type SessionSignal, SessionSignals } from "./session_signals.ts";

/** What the sessions of a server go by. */
export interface LegacySessionsOptions {
  /** Opens and finds them. */
  readonly kept: Sessions;
  /** Carries what other processes must hear; absent where there are none. */
  readonly broker: Broker | undefined;
  /** Records what sessions are sent; absent where nothing is replayed. */
  readonly replay: ReplayBuffer | undefined;
  /** The server's name: servers that share a broker do not hear each other. */
  readonly server: string;
  /** Told when the store or the broker fails. */
  readonly log: Log;
  /** Where the time comes from. */
  readonly clock: Clock;
}

/** A longer id of a request is cancelled by nobody: it would be sent to every process. */
const MAX_ID_LENGTH = 256;

/** The sessions of a server: how they are kept, what they have in flight and what they are sent. */
export class LegacySessions {
  /** Opens and finds them. */
  readonly kept: Sessions;
  /** Sends to them; absent without a broker. */
  readonly feeds: SessionFeeds | undefined;
  readonly #signals: SessionSignals | undefined;
  readonly #isRecorded: boolean;
  readonly #inFlight: InFlight = new InFlight();
  readonly #naming: OrderedTasks = new OrderedTasks();

  /** Holds nothing yet. */
  constructor({ kept, broker, replay, server, log, clock }: LegacySessionsOptions) {
    this.kept = kept;
    this.#isRecorded = replay !== undefined;
    if (broker === undefined) return;
    this.feeds = new SessionFeeds({ broker, replay, log });
    this.#signals = new SessionSignals({
      broker,
      topic: `sessions:${server}`,
      receive: (signal) => this.#receive(signal),
      log,
      now: () => clock.now(),
    });
  }

  /** Hears from now on what other processes say of sessions; harmless when it does already. */
  listen(): void {
    this.#signals?.listen();
  }

  /** Notes a request of a session; answers how to forget it. */
  track(sid: string, id: RequestId, cancel: () => void): () => void {
    return this.#inFlight.add(sid, id, cancel);
  }

  /** Cancels a session's requests with this id: those of this process, or else of the others. */
  cancel(sid: string, requestId: unknown): void {
    if (typeof requestId !== "string" && typeof requestId !== "number") return;
    if (String(requestId).length > MAX_ID_LENGTH) return;
    if (this.#inFlight.cancel(sid, requestId)) return;
    this.#signals?.send({ type: "cancelled", sid, requestId });
  }

  /**
   * Sends a message to the session with this id.
   *
   * @returns Whether a stream of it is open.
   */
  async notify(id: string, json: string): Promise<boolean> {
    const { feeds } = this;
    if (feeds === undefined) return false;
    // Digests may be ready in another order than they were asked for.
    const sid = await this.#naming.run(id, () => this.#findAddressee(id));
    return sid === undefined ? false : await feeds.send(sid, json);
  }

  /** Nothing is recorded for a session that has ended: nobody would read it. */
  async #findAddressee(id: string): Promise<string | undefined> {
    const sid = await this.kept.sidOf(id);
    if (sid === undefined || !this.#isRecorded) return sid;
    try {
      return await this.kept.isOpen(sid) ? sid : undefined;
    } catch {
      return sid; // recording fails as well, and says so
    }
  }

  /**
   * Ends the caller's session, and its streams, in every process.
   *
   * @returns Whether it was there.
   */
  async end(id: string, by: SessionCaller): Promise<boolean> {
    const sid = await this.kept.end(id, by);
    if (sid === undefined) return false;
    await Promise.all([this.feeds?.end(sid), this.#signals?.send({ type: "ended", sid })]);
    return true;
  }

  /** Stops listening to other processes. */
  async close(): Promise<void> {
    await this.#signals?.close();
  }

  #receive(signal: SessionSignal): void {
    if (signal.type === "ended") this.kept.forget?.(signal.sid);
    else this.#inFlight.cancel(signal.sid, signal.requestId);
  }
}
