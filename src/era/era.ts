import type { Outcome } from "../features/outcome.ts";
import type { MethodTable } from "../methods/run_method.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Caller } from "../ports/principal.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RequestId, RpcMessage } from "../protocol/json_rpc.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Inbound } from "./inbound.ts";

/** One generation of the protocol: which methods there are, and how answers are written. */
export interface Era {
  /** Its methods. */
  readonly methods: MethodTable;
  /** Whether a client that disconnects cancels its request. */
  readonly cancelsOnDisconnect: boolean;
  /** Whether clients mirror annotated arguments into headers. */
  readonly mirrorsArguments: boolean;
  /** Whether a result can ask: its client then calls again with the answers. */
  readonly asksByResult: boolean;
  /** Writes an outcome as the response to the request with this id. */
  encode(outcome: Outcome, id: RequestId): Wire;
  /** What is asked once the sender is known; absent where a message says everything itself. */
  enter?(route: Route, headers: Inbound["headers"], by: Visitor): Awaitable<Visit | Refusal>;
  /** Takes a notification of the client; absent where none has an effect. */
  notice?(message: RpcMessage, visit: Visit): void;
  /**
   * Notes a request in flight that the client may cancel by a notification; answers how to forget it.
   * Absent where disconnecting is the only way.
   */
  track?(visit: Visit, id: RequestId, cancel: () => void): () => void;
}

/** Who sent a message. */
export interface Visitor {
  /** Who calls. */
  readonly caller: Caller;
  /** What the platform passed. */
  readonly host: HostContext;
}

/** What is known of a message beside its own words. */
export interface Visit {
  /** The protocol revision that is spoken. */
  readonly revision: string;
  /** What the client declared it can do. */
  readonly clientCapabilities: JsonObject;
  /** The session, for keying what belongs to it. */
  readonly sid?: string;
}

/** A finished answer, for the transport to send. */
export interface Wire {
  /** HTTP status. */
  readonly status: number;
  /** A JSON-RPC response, as text or as UTF-8. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Id of a session that was opened. */
  readonly session?: string;
  /** What the challenge of a 403 says; present where the gate refused. */
  readonly challenge?: { readonly scopes?: readonly string[] };
  /** After how many seconds to try again; present where a limit was the reason. */
  readonly retryAfter?: number;
  /** What is sent in place of the body: events, and the response as the last of them. */
  readonly stream?: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A message whose era is known, with what its envelope says. */
export interface Route extends Visit {
  /** Who serves it. */
  readonly era: Era;
  /** The message. */
  readonly message: RpcMessage;
}
