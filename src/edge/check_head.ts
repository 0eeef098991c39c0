import { ErrorCode } from "../protocol/error_code.ts";
import type { Refusal, RefusalReason } from "../protocol/refusal.ts";
import { type Accepted, isJsonContent, parseAccept } from "./media_types.ts";
import type { OriginPolicy } from "./origin_policy.ts";

/**
 * Judges where a request comes from, before anything else of it is looked at (B1).
 *
 * @returns The 403, or `undefined`.
 */
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
 * Judges the media types of a POST, before its body is read.
 *
 * @param request The request.
 * @param strictAccept Whether a client must accept both JSON and event streams.
 * @returns What the client can read, or the first rung of the ladder that refuses: Accept 406,
 * Content-Type and Content-Encoding 415.
 */
export function checkHead(request: Request, strictAccept: boolean): Accepted | Refusal {
  const { headers } = request;
  const accepted = parseAccept(headers.get("accept"));
  if (!accepted.json || (strictAccept && !accepted.stream)) {
    return refuse("accept", 406, "Not acceptable: accept application/json and text/event-stream");
  }
  if (!isJsonContent(headers.get("content-type"))) {
    return refuse("content-type", 415, "Unsupported media type: send application/json");
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return refuse("content-encoding", 415, "Unsupported content encoding: send the body as it is");
  }
  return accepted;
}

/** The refusal of an HTTP method, with those that are allowed. */
export function refuseMethod(allowed: string): Refusal {
  return refuse("http-method", 405, "Method not allowed: send a POST", { allow: allowed });
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
): Refusal {
  return { refused, status, error: { code: ErrorCode.invalidRequest, message }, headers };
}
