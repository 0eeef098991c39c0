import { ErrorCode } from "../protocol/error_code.ts";
import type { InputRequiredOutcome } from "./elicitation/ask_back.ts";
import type { RpcError } from "../protocol/rpc_error.ts";
import type { Feed } from "./feed.ts";
import type { ResultText } from "../present/result_text.ts";

/** How a method ended, the same for every era and transport. */
export type Outcome =
  | {
    readonly type: "complete";
    readonly result: ResultText;
    /** Id of the session that was opened. */
    readonly session?: string;
    /** What is sent before the result, which comes when the server ends it. */
    readonly feed?: Feed;
  }
  | InputRequiredOutcome
  /** The handle of a task, whose result comes later. */
  | { readonly type: "task"; readonly result: ResultText }
  | ErrorOutcome;

/** A method that ended with a JSON-RPC error. */
export interface ErrorOutcome {
  /** Always `"error"`. */
  readonly type: "error";
  /** What the caller is told. */
  readonly error: RpcError;
  /** What the domain threw, where it refused: for what runs around methods, never for the caller. */
  readonly cause?: unknown;
  /** HTTP status, where the code alone does not decide it. */
  readonly status?: number;
  /** What the challenge of a 403 says; present where the gate refused. */
  readonly challenge?: { readonly scopes?: readonly string[] };
  /** After how many seconds to try again; present where a limit was the reason. */
  readonly retryAfter?: number;
}

/** A finished result. */
export function complete(result: ResultText): Outcome {
  return { type: "complete", result };
}

/** A JSON-RPC error. */
export function failure(code: number, message: string, data?: RpcError["data"]): ErrorOutcome {
  return { type: "error", error: data === undefined ? { code, message } : { code, message, data } };
}

/** Parameters that are malformed, or name something that does not exist. */
export function invalidParams(message: string, data?: RpcError["data"]): ErrorOutcome {
  return failure(ErrorCode.invalidParams, message, data);
}
