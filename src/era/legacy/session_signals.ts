import type { Log } from "../../ports/log_event.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { Broker, Subscription } from "../../stores/broker.ts";

/** What one process tells the others of a session. */
export type SessionSignal =
  | { readonly type: "cancelled"; readonly sid: string; readonly requestId: RequestId }
  | { readonly type: "ended"; readonly sid: string };

/** What signals need. */
export interface SessionSignalOptions {
  /** Carries them. */
  readonly broker: Broker;
  /** The topic that all processes of a server share. */
  readonly topic: string;
  /** Takes what a process said, this one included. */
  readonly receive: (signal: SessionSignal) => void;
  /** Told when the broker fails. */
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const RETRY_MS = 5000;

/**
 * Tells the processes of a server which requests are cancelled and which sessions have ended.
 *
 * All sessions share one topic, which a process listens to once it serves any: a topic for each would
 * cost two messages to the broker around every request.
 */
export class SessionSignals {
  readonly #options: SessionSignalOptions;
  #subscription: Subscription | undefined;
  #isListening = false;
  #isClosed = false;
  #retryAt = 0;

  /** Listens to nothing yet. */
  constructor(options: SessionSignalOptions) {
    this.#options = options;
  }

  /** Begins to listen; harmless while it does. */
  listen(): void {
    if (this.#isListening || this.#isClosed) return;
    if (this.#retryAt !== 0 && this.#options.now() < this.#retryAt) return;
    this.#isListening = true;
    this.#receive();
  }

  /** Tells every process; a broker that fails is logged. */
  async send(signal: SessionSignal): Promise<void> {
    const { broker, topic } = this.#options;
    try {
      await broker.publish(topic, JSON.stringify(signal));
    } catch (cause) {
      this.#report("Telling other processes of a session failed", cause);
    }
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#subscription?.close();
    } catch (cause) {
      this.#report("Leaving other processes failed", cause);
    }
  }

  async #receive(): Promise<void> {
    const { broker, topic, receive, now } = this.#options;
    try {
      const subscription = await broker.subscribe([topic]);
      this.#subscription = subscription;
      if (this.#isClosed) await subscription.close();
      for await (const { payload } of subscription) {
        const signal = readSignal(payload);
        if (signal !== undefined) receive(signal);
      }
    } catch (cause) {
      this.#retryAt = now() + RETRY_MS;
      this.#report("Listening to other processes failed", cause);
    }
    // The next request of a session begins anew.
    this.#subscription = undefined;
    this.#isListening = false;
  }

  #report(message: string, cause: unknown): void {
    this.#options.log({ level: "warning", event: "session.signal", message, cause });
  }
}

function readSignal(payload: string): SessionSignal | undefined {
  try {
    const signal: unknown = JSON.parse(payload);
    return isJsonObject(signal) ? signal as object as SessionSignal : undefined;
  } catch {
    return undefined;
  }
}
