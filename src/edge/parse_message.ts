import { ErrorCode } from "../protocol/error_code.ts";
import { isJsonObject } from "../protocol/json.ts";
import type { RequestId, RpcMessage } from "../protocol/json_rpc.ts";
import type { Refusal, RefusalReason } from "../protocol/refusal.ts";
import { isTooDeep } from "./is_too_deep.ts";

const NO_PARAMS: RpcMessage["params"] = Object.freeze({});

/**
 * Parses a body as one JSON-RPC request or notification.
 *
 * @returns The message, or the refusal: -32700 for what is not JSON, -32600 for what is no message,
 * -32602 for positional parameters. The id is repeated wherever it is readable.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic#messages}
 */
export function parseMessage(text: string): RpcMessage | Refusal {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse("json", ErrorCode.parseError, "Parse error: the body is not JSON");
  }
  if (isTooDeep(body)) return invalid("the body is nested too deeply");
  if (Array.isArray(body)) return invalid("batches are not supported");
  if (!isJsonObject(body)) return invalid("expected an object");
  const { id, method, params, jsonrpc } = body;
  if (id !== undefined && !isRequestId(id)) return invalid("id must be a string or an integer");
  if (jsonrpc !== "2.0") return invalid('jsonrpc must be "2.0"', id);
  if (typeof method !== "string") {
    return invalid(
      method === undefined && ("result" in body || "error" in body)
        ? "expected a request, not a response"
        : "method must be a string",
      id,
    );
  }
  if (params !== undefined && !isJsonObject(params)) {
    const message = "Invalid params: params must be an object";
    return refuse("params", ErrorCode.invalidParams, message, id);
  }
  if (id === undefined) return { method, params: params ?? NO_PARAMS };
  return { id, method, params: params ?? NO_PARAMS };
}

/** A larger number would come back as another one. */
function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function invalid(problem: string, id?: RequestId): Refusal {
  return refuse("message", ErrorCode.invalidRequest, `Invalid request: ${problem}`, id);
}

function refuse(refused: RefusalReason, code: number, message: string, id?: RequestId): Refusal {
  return { refused, status: 400, error: { code, message }, ...(id === undefined ? {} : { id }) };
}
