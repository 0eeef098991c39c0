import type { Outcome } from "../features/outcome.ts";
import type { MethodTable } from "../methods/run_method.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RequestId, RpcMessage } from "../protocol/json_rpc.ts";

/** One generation of the protocol: which methods there are, and how answers are written. */
export interface Era {
  /** Its methods. */
  readonly methods: MethodTable;
  /** Whether a client that disconnects cancels its request. */
  readonly cancelsOnDisconnect: boolean;
  /** Whether clients mirror annotated arguments into headers. */
  readonly mirrorsArguments: boolean;
  /** Writes an outcome as the response to the request with this id. */
  encode(outcome: Outcome, id: RequestId): Wire;
}

/** A finished answer, for the transport to send. */
export interface Wire {
  /** HTTP status. */
  readonly status: number;
  /** A JSON-RPC response, as text or as UTF-8. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** What the challenge of a 403 says; present where the gate refused. */
  readonly challenge?: { readonly scopes?: readonly string[] };
}

/** A message whose era is known, with what its envelope says. */
export interface Route {
  /** Who serves it. */
  readonly era: Era;
  /** The message. */
  readonly message: RpcMessage;
  /** The protocol revision it is written in. */
  readonly revision: string;
  /** What the client declared it can do. */
  readonly clientCapabilities: JsonObject;
}
