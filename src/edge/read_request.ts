import type { Inbound } from "../era/inbound.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import { isRefusal, type Refusal, type RefusalReason } from "../protocol/refusal.ts";
import { isJsonContent, parseAccept } from "./media_types.ts";
import type { OriginPolicy } from "./origin_policy.ts";
import { parseMessage } from "./parse_message.ts";
import { readBody } from "./read_body.ts";

/** What a server accepts. */
export interface ReadOptions {
  /** Limit of a body, in bytes. */
  readonly maxBodyBytes: number;
  /** Whether a client must accept both JSON and event streams. */
  readonly strictAccept: boolean;
}

/** A request that was read, and how it may be answered. */
export interface ReadRequest extends Inbound {
  /** Whether the client can read a stream of events. */
  readonly acceptsStream: boolean;
}

/** Asks a header check of a request before its body is read: origin and host first (B1). */
export function refuseSource(
  request: Request,
  origin: string | null,
  policy: OriginPolicy,
): Refusal | undefined {
  if (origin !== null && !policy.allowsOrigin(origin, () => hostOf(request))) {
    return refuse("origin", 403, "Origin not allowed");
  }
  if (policy.restrictsHosts && !policy.allowsHost(hostOf(request))) {
    return refuse("host", 403, "Host not allowed");
  }
  return undefined;
}

/**
 * Reads a request down to its JSON-RPC message.
 *
 * @returns The message, or the first rung of the ladder that refuses: method 405, Accept 406,
 * Content-Type and Content-Encoding 415, size 413, JSON and message shape 400.
 */
export async function readRequest(
  request: Request,
  options: ReadOptions,
): Promise<ReadRequest | Refusal> {
  const { method, headers } = request;
  if (method !== "POST") {
    return refuse("http-method", 405, "Method not allowed: send a POST", {
      allow: "POST, OPTIONS",
    });
  }
  const accepted = parseAccept(headers.get("accept"));
  if (!accepted.json || (options.strictAccept && !accepted.stream)) {
    return refuse("accept", 406, "Not acceptable: accept application/json and text/event-stream");
  }
  if (!isJsonContent(headers.get("content-type"))) {
    return refuse("content-type", 415, "Unsupported media type: send application/json");
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return refuse("content-encoding", 415, "Unsupported content encoding: send the body as it is");
  }
  const text = await readText(request, options.maxBodyBytes);
  if (typeof text !== "string") return text;
  const message = parseMessage(text);
  if (isRefusal(message)) return message;
  return { message, header: (name) => headers.get(name), acceptsStream: accepted.stream };
}

async function readText(request: Request, maxBodyBytes: number): Promise<string | Refusal> {
  try {
    return await readBody(request, maxBodyBytes) ??
      refuse("body-too-large", 413, `Request body too large: the limit is ${maxBodyBytes} bytes`);
  } catch {
    return refuse("json", 400, "Parse error: the body could not be read", {}, ErrorCode.parseError);
  }
}

/** The host the client asked for; in process there is only the URL. */
function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

function refuse(
  refused: RefusalReason,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = ErrorCode.invalidRequest,
): Refusal {
  return { refused, status, error: { code, message }, headers };
}
