import type { RpcMessage } from "../protocol/json_rpc.ts";

/** What a transport hands over: one parsed message, and the headers it came with. */
export interface Inbound {
  /** The message. */
  readonly message: RpcMessage;
  /** Its headers, by lower-case name. */
  readonly headers: { get(name: string): string | null };
}
