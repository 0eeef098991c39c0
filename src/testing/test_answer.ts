import type { JsonObject } from "../protocol/json.ts";
import type { RpcError } from "../protocol/rpc_error.ts";

/** A notification that a server sent. */
export interface ReceivedNotification {
  /** The method's name. */
  readonly method: string;
  /** Its parameters; an empty object where there were none. */
  readonly params: JsonObject;
}

/** What a server answered, read to its end: a failure is a value here. */
export interface TestAnswer {
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Headers;
  /** The JSON-RPC result; absent for an error, and where the body was empty. */
  readonly result?: JsonObject;
  /** The JSON-RPC error. */
  readonly error?: RpcError;
  /** Notifications that came before the answer, on an event stream. */
  readonly notifications: readonly ReceivedNotification[];
}
