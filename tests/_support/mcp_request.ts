/**
 * Requests as clients of each era send them: a POST with the era's headers and envelope, of which a
 * test changes what it is about.
 *
 * @module
 */

/** A generation of the protocol, by the clients that speak it. */
export type ClientEra = "modern" | "legacy";

/** What a test changes of an ordinary request. */
export interface McpInput {
  /** JSON-RPC method; also the `Mcp-Method` header. Default `"tools/list"`. */
  readonly method?: string;
  /** Parameters without `_meta`. Default: none. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** JSON-RPC id; `null` leaves it out. Default 1. */
  readonly id?: unknown;
  /** Members of `_meta`, over the era's own; `undefined` removes one. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Members of the whole message, over the usual ones; `undefined` removes one. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The body as it is sent, in place of the message. */
  readonly body?: BodyInit;
  /** Headers over the era's own; `null` removes one, a list sends a header several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** HTTP method. Default `"POST"`. */
  readonly verb?: string;
  /** Where to. Default `"http://localhost/mcp"`. */
  readonly url?: string;
  /** Aborts the request. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** A request, with what a `Request` does not keep. */
export interface SentRequest extends Request {
  /** The header lines as they are written: of any case, with white space around, several of a name. */
  readonly lines?: Readonly<Record<string, string | readonly string[]>>;
}

const REVISION = "2026-07-28";

/** Builds the request of one era. */
export function mcpRequest(era: ClientEra, input: McpInput = {}): SentRequest {
  return REQUESTS[era](input);
}

const REQUESTS: Readonly<Record<ClientEra, (input: McpInput) => SentRequest>> = { modern, legacy };

function modern(input: McpInput): SentRequest {
  const { method = "tools/list", params = {}, meta = {} } = input;
  const name = params.name ?? params.uri ?? params.taskId;
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  const headers = {
    "mcp-protocol-version": REVISION,
    "mcp-method": method,
    ...(typeof name === "string" && name !== "" ? { "mcp-name": mirrored(name) } : {}),
  };
  return build(input, { method, params: { ...params, _meta: envelope } }, headers);
}

/** A request of revision 2025-11-25, without a session. */
function legacy(input: McpInput): SentRequest {
  const { method = "tools/list", params = {}, meta } = input;
  const sent = meta === undefined ? params : { ...params, _meta: meta };
  return build(input, { method, params: sent }, { "mcp-protocol-version": "2025-11-25" });
}

/** Text that a header cannot carry as it is travels as base64. */
function mirrored(text: string): string {
  if (/^[\x21-\x7E]+( [\x21-\x7E]+)*$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

function build(
  input: McpInput,
  call: Readonly<Record<string, unknown>>,
  eraHeaders: Readonly<Record<string, string>>,
): SentRequest {
  const { id = 1, verb = "POST", url = "http://localhost/mcp" } = input;
  const lines: Record<string, string | readonly string[]> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...eraHeaders,
  };
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    delete lines[name.toLowerCase()];
    if (value !== null) lines[name] = value;
  }
  const headers = Object.entries(lines).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one])
  );
  const message = { jsonrpc: "2.0", ...(id === null ? {} : { id }), ...call, ...input.message };
  const hasBody = verb === "POST";
  const body = input.body ?? JSON.stringify(message);
  const request = new Request(url, {
    method: verb,
    headers,
    ...(hasBody ? { body } : {}),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  if (input.headers !== undefined && input.headers["content-type"] === null) {
    request.headers.delete("content-type"); // a text body brings one of its own
  }
  return Object.assign(request, { lines });
}
