import type { RpcMessage } from "../protocol/json_rpc.ts";

/** What a transport hands over: one parsed message, and the headers it came with. */
export interface Inbound {
  /** The message. */
  readonly message: RpcMessage;
  /** The header that names the revision. */
  readonly version: string | null;
  /** All its headers, by lower-case name. */
  readonly headers: { get(name: string): string | null };
}
