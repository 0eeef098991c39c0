import type { CallContext } from "../kernel/call_context.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Received } from "./elicitation/pending.ts";
import type { Outcome } from "./outcome.ts";

/** One request on its way to a method. */
export interface Call extends CallContext {
  /** The JSON-RPC method. */
  readonly method: string;
  /** Its parameters. */
  readonly params: JsonObject;
  /** The JSON-RPC id; absent in process. */
  readonly id?: RequestId | undefined;
  /** The protocol revision that is spoken; empty in process. */
  readonly revision: string;
  /** The session by the first characters of its id, for logs and spans; absent where there is none. */
  readonly session?: string | undefined;
  /** What the client declared it can do. */
  readonly clientCapabilities: JsonObject;
  /** Whether the client mirrors annotated arguments into HTTP headers. */
  readonly mirrorsArguments: boolean;
  /** What was answered in earlier rounds; absent in the first. */
  readonly input?: Received | undefined;
  /** Whether nobody waits for the outcome any more. */
  readonly isAbandoned: boolean;
  /** Tells the work, through `signal`, that nobody waits for it any longer. */
  stop(reason: string): void;
}

/** What serves one JSON-RPC method. */
export type Method = (call: Call) => Awaitable<Outcome>;
