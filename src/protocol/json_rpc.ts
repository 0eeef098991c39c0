import type { JsonObject } from "./json.ts";

/** A JSON-RPC request id: a string or a safe integer, never null. */
export type RequestId = string | number;

/** A JSON-RPC request or, without `id`, a notification. */
export interface RpcMessage {
  /** Absent on a notification. */
  readonly id?: RequestId;
  /** The method's name. */
  readonly method: string;
  /** By-name parameters; an empty object when the message had none. */
  readonly params: JsonObject;
}
