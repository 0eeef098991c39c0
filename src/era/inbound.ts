import type { RpcMessage } from "../protocol/json_rpc.ts";

/** What a transport hands over: one parsed message, and the headers it came with. */
export interface Inbound {
  /** The message. */
  readonly message: RpcMessage;
  /** Reads one header by its lower-case name. */
  readonly header: (name: string) => string | null;
}
