import { challenge } from "../auth/challenge.ts";
import type { Wire } from "../era/era.ts";
import { serialize } from "../present/serialize.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { Refusal } from "../protocol/refusal.ts";

const EXPOSED = "Mcp-Session-Id, WWW-Authenticate, Retry-After, MCP-Protocol-Version";
const ALLOWED_HEADERS = [
  "accept",
  "authorization",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "traceparent",
  "tracestate",
  "baggage",
];

/** Writes the responses to requests from one origin, with the CORS headers that it needs (B19). */
export class ResponseWriter {
  readonly #cors: Readonly<Record<string, string>>;
  readonly #json: Readonly<Record<string, string>>;
  readonly #origin: string | undefined;
  readonly #isServed: boolean;
  readonly #metadataUrl: string | undefined;

  /**
   * @param origin The allowed origin of the page that calls; absent for callers that are no page.
   * @param isServed Whether a runtime's server takes the response, rather than code of this process.
   * @param metadataUrl Where the protected-resource metadata is, for challenges.
   */
  constructor(origin: string | undefined, isServed: boolean, metadataUrl?: string) {
    this.#origin = origin;
    this.#isServed = isServed;
    this.#metadataUrl = metadataUrl;
    this.#cors = origin === undefined ? { vary: "Origin" } : {
      vary: "Origin",
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED,
    };
    this.#json = { "content-type": "application/json", ...this.#cors };
  }

  /** One JSON message. */
  message({ body, status, challenge: asked, session, retryAfter }: Wire): Response {
    if (session !== undefined) {
      return new Response(body, { status, headers: { ...this.#json, "mcp-session-id": session } });
    }
    if (retryAfter !== undefined) {
      const headers = { ...this.#json, "retry-after": String(retryAfter) };
      return new Response(body, { status, headers });
    }
    if (asked === undefined) {
      return status === 200 && !this.#isServed && this.#origin === undefined
        ? plainMessage(body)
        : new Response(body, { status, headers: this.#json });
    }
    const { scopes } = asked;
    const value = challenge({
      ...(this.#metadataUrl === undefined ? {} : { resourceMetadata: this.#metadataUrl }),
      ...(scopes === undefined ? {} : { error: "insufficient_scope", scopes }),
    });
    return new Response(body, { status, headers: { ...this.#json, "www-authenticate": value } });
  }

  /** A stream of events. */
  stream(body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
        "x-accel-buffering": "no",
        ...this.#cors,
      },
    });
  }

  /** A notification that was accepted. */
  accepted(): Response {
    return new Response(null, { status: 202, headers: this.#cors });
  }

  /** A session that was ended. */
  ended(): Response {
    return new Response(null, { status: 204, headers: this.#cors });
  }

  /** Nobody reads this: the client left. */
  gone(): Response {
    return new Response(null, { status: 499, headers: this.#cors });
  }

  /** A request that was turned away. */
  refusal({ status, error, id, headers }: Refusal): Response {
    const message = id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error };
    return new Response(serialize(message), {
      status,
      headers: { ...this.#json, ...NO_STORE, ...headers },
    });
  }

  /** The server failed outside of any call. */
  fault(reference: string): Response {
    return this.refusal({
      refused: "fault",
      status: 500,
      error: { code: ErrorCode.internalError, message: "Internal error", data: { reference } },
    });
  }

  /**
   * The answer to a CORS preflight, before anyone authenticates.
   *
   * @param allowed The methods of the server.
   */
  preflight(request: Request, allowed: string): Response {
    const requested = request.headers.get("access-control-request-headers") ?? "";
    const mirrored = requested.split(",").map((name) => name.trim().toLowerCase())
      .filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/.test(name)).slice(0, 32);
    return new Response(null, {
      status: 204,
      headers: {
        ...this.#cors,
        vary: "Origin, Access-Control-Request-Headers",
        allow: allowed,
        "access-control-allow-methods": allowed.replace(", OPTIONS", ""),
        "access-control-allow-headers": [...ALLOWED_HEADERS, ...mirrored].join(", "),
        "access-control-max-age": "7200",
      },
    });
  }
}

/**
 * The answer that most requests get. A server is handed a response fastest with all headers at
 * once; code that reads it in process has it ten times as fast when the second is added.
 */
function plainMessage(body: Wire["body"]): Response {
  const response = new Response(body, JSON_TYPE);
  response.headers.append("vary", "Origin");
  return response;
}

/** A 404 or 405 to a GET could be kept for others by a cache on the way (RFC 9110, section 15.1). */
const NO_STORE = { "cache-control": "no-store" } as const;

const JSON_TYPE = { headers: { "content-type": "application/json" } } as const;
