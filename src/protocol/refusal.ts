import type { RequestId } from "./json_rpc.ts";
import type { RpcError } from "./rpc_error.ts";

/** Why a request was turned away before any method ran. */
export type RefusalReason =
  | "accept"
  | "body-timeout"
  | "body-too-large"
  | "closing"
  | "content-encoding"
  | "content-type"
  | "envelope"
  | "fault"
  | "header-mismatch"
  | "host"
  | "http-method"
  | "json"
  | "message"
  | "not-found"
  | "origin"
  | "params"
  | "rate-limited"
  | "session-missing"
  | "session-unknown"
  | "timeout"
  | "too-many-streams"
  | "unauthorized"
  | "unsupported-version";

/** A request that is turned away: a value, never thrown. */
export interface Refusal {
  /** Which rung of the ladder refused. */
  readonly refused: RefusalReason;
  /** HTTP status. */
  readonly status: number;
  /** The JSON-RPC error of the body. */
  readonly error: RpcError;
  /** The exact cause, for the log alone. Default: what the error says. */
  readonly because?: string;
  /** The request's id, where it was readable. */
  readonly id?: RequestId;
  /** Further response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tells a refusal from the noun that a room returns otherwise. */
export function isRefusal(value: object): value is Refusal {
  return (value as Partial<Refusal>).refused !== undefined;
}
