const ACCEPT = "application/json, text/event-stream";

/** What differs from a plain call. */
export interface CallOptions {
  /** Added to `_meta`. */
  readonly meta?: object;
  /** Added to the headers, or put in place of them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the client leaves. */
  readonly signal?: AbortSignal;
}

/** The request of a method of the modern era. */
export function methodRequest(
  method: string,
  params: object,
  { meta = {}, headers = {}, signal }: CallOptions = {},
): RequestInit & { readonly headers: Record<string, string>; readonly body: string } {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  // A spread copies an own `__proto__` as it is; JSON writes it like any other key.
  const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } };
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept": ACCEPT,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** The request of a tool call. */
export function callRequest(
  name: string,
  args: object = {},
  { headers = {}, ...options }: CallOptions = {},
): ReturnType<typeof methodRequest> {
  const named = { "mcp-name": name, ...headers };
  return methodRequest("tools/call", { name, arguments: args }, { ...options, headers: named });
}
