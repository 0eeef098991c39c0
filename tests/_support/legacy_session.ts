/**
 * A legacy client that a test drives by hand: it opens a session, and sends what the test says.
 *
 * @module
 */

/** Whatever answers requests. */
export interface Endpoint {
  fetch(request: Request): Promise<Response>;
}

/** What a test changes of a request in a session. */
export interface SessionInput {
  /** HTTP method. Default `"POST"`. */
  readonly verb?: string;
  /** The JSON-RPC message of a POST. Default: a tools/list. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Headers over the usual ones; `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Whose bearer token it carries. Default: none. */
  readonly token?: string | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

const URL = "http://localhost/mcp";

/** Builds a request of the legacy era, with a session where one is given. */
export function legacyRequest(session: string | null, input: SessionInput = {}): Request {
  const { verb = "POST", message = { id: 1, method: "tools/list" }, token, signal } = input;
  const headers = new Headers({
    accept: verb === "GET" ? "text/event-stream" : "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    ...(verb === "POST" ? { "content-type": "application/json" } : {}),
    ...(session === null ? {} : { "mcp-session-id": session }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  });
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const body = verb === "POST" ? JSON.stringify({ jsonrpc: "2.0", ...message }) : null;
  return new Request(URL, { method: verb, headers, body, ...(signal ? { signal } : {}) });
}

/** The message that opens a session. */
export const INITIALIZE = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
} as const;

/** Opens a session and answers its id. */
export async function openSession(server: Endpoint, token?: string): Promise<string> {
  const request = legacyRequest(null, { message: INITIALIZE, token });
  const response = await server.fetch(request);
  const id = response.headers.get("mcp-session-id");
  const text = await response.text();
  if (id === null) throw new Error(`No session was opened: ${response.status} ${text}`);
  return id;
}

/** The stream of a session, read block by block. */
export class Listener {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** The next block, without the blank line that ends it; `undefined` at the end. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /**
   * The next message; comments and events without one are skipped. Leaves after 30 s, so that a lost
   * message fails its test and hangs none.
   */
  async nextMessage(): Promise<{ readonly id?: string; readonly json: string } | undefined> {
    const timer = setTimeout(() => this.leave(), 30_000);
    return await this.#nextMessage().finally(() => clearTimeout(timer));
  }

  async #nextMessage(): Promise<{ readonly id?: string; readonly json: string } | undefined> {
    for (let block = await this.next(); block !== undefined; block = await this.next()) {
      const json = /^data: (.+)$/m.exec(block)?.[1];
      const id = /^id: (.+)$/m.exec(block)?.[1];
      if (json !== undefined) return id === undefined ? { json } : { id, json };
    }
    return undefined;
  }

  /** Everything up to the end. */
  async rest(): Promise<readonly string[]> {
    const blocks: string[] = [];
    for (let one = await this.next(); one !== undefined; one = await this.next()) blocks.push(one);
    return blocks;
  }

  /** Leaves. */
  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** Opens the stream of a session. */
export async function listen(
  server: Endpoint,
  session: string,
  input: SessionInput = {},
): Promise<Listener> {
  const response = await server.fetch(legacyRequest(session, { verb: "GET", ...input }));
  if (response.status !== 200) {
    throw new Error(`No stream was opened: ${response.status} ${await response.text()}`);
  }
  return new Listener(response.body!);
}
