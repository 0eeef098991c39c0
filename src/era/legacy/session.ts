import type { Awaitable } from "../../ports/awaitable.ts";
import type { HostContext } from "../../ports/host_context.ts";
import type { Caller } from "../../ports/principal.ts";
import type { JsonObject } from "../../protocol/json.ts";

/** What a legacy session carries: nothing that a client wrote. */
export interface Session {
  /** Random, 128 bits; streams and cancellation are keyed by it, never by a request id alone. */
  readonly sid: string;
  /** The negotiated revision. */
  readonly revision: string;
  /** What the client declared, as far as the server acts on it. */
  readonly clientCapabilities: JsonObject;
}

/** Who asks about a session. */
export interface SessionCaller {
  readonly caller: Caller;
  readonly host: HostContext;
}

/** Keeps legacy sessions, in whatever way. */
export interface Sessions {
  /** Opens one for the caller. @returns Its id: visible ASCII, at most 200 bytes. */
  open(session: Omit<Session, "sid">, by: SessionCaller): Promise<string>;
  /**
   * Finds the caller's session.
   *
   * @returns `undefined` alike for an unknown, an expired, an ended and another principal's session.
   */
  find(id: string, by: SessionCaller): Awaitable<Session | undefined>;
  /** Says why `find` found nothing, for the log alone. Default: nobody knows. */
  explain?(id: string, by: SessionCaller): Awaitable<string>;
  /** Ends the caller's session. @returns Its `sid`, or `undefined` where there was none. */
  end(id: string, by: SessionCaller): Promise<string | undefined>;
  /**
   * Reads the `sid` out of an id, without asking whose it is or whether it lives: for sending to a
   * session, never for entering one.
   */
  sidOf(id: string): Awaitable<string | undefined>;
  /** Whether a session has not ended, as far as is known; for what is kept for it. */
  isOpen(sid: string): Awaitable<boolean>;
  /** Hears that another process ended a session; absent where nothing is remembered of one. */
  forget?(sid: string): void;
}
