import type { JsonObject } from "./json.ts";

/** The `error` member of a JSON-RPC response. */
export interface RpcError {
  /** One of `ErrorCode`, or a number of the author's own. */
  readonly code: number;
  /** One sentence. */
  readonly message: string;
  /** Details whose shape depends on the code. */
  readonly data?: JsonObject;
}
