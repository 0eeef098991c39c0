import { type Kind, tokenOf } from "./wire.ts";

/** Who calls, and how. */
export interface ClusterClientOptions {
  /** Where to: the proxy, or one process. */
  readonly url: string;
  /** Which of the clients that the servers know. */
  readonly client: number;
  /** Which server, by the way in which it keeps sessions. */
  readonly kind: Kind;
  /** Which generation of the protocol it speaks. */
  readonly era: "modern" | "legacy";
}

/** The answer to a call. */
export interface ToolAnswer {
  readonly status: number;
  /** The text of the result. */
  readonly text?: string;
  readonly structured?: Readonly<Record<string, unknown>>;
  /** The code of the JSON-RPC error. */
  readonly code?: number;
}

/** How long a client goes on trying. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 20;

const REVISION = { modern: "2026-07-28", legacy: "2025-11-25" } as const;

/**
 * A client that sends a request again until it is answered: what it sends does no harm when it is done
 * twice.
 */
export class ClusterClient {
  /** Its session; empty before it has one, and in the modern era. */
  session = "";
  /** How often an answer was lost. */
  lost = 0;
  /** How long it waited for an answer at most, in milliseconds. */
  longestMs = 0;
  /** When it was last answered, in milliseconds since the epoch. */
  answeredAt = 0;
  readonly options: ClusterClientOptions;
  #id = 0;

  constructor(options: ClusterClientOptions) {
    this.options = options;
  }

  /** The same client, at another place. */
  at(url: string): ClusterClient {
    const other = new ClusterClient({ ...this.options, url });
    other.session = this.session;
    return other;
  }

  /** Opens a session. */
  async open(): Promise<void> {
    this.session = "";
    const { response, text } = await this.#send("initialize", {
      protocolVersion: REVISION.legacy,
      capabilities: {},
      clientInfo: { name: "cluster", version: "1.0.0" },
    });
    const session = response.headers.get("mcp-session-id");
    if (session === null) throw new Error(`No session was opened: ${response.status} ${text}`);
    this.session = session;
  }

  /** Calls a tool. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { response, text } = await this.#send("tools/call", { name, arguments: args });
    const { result, error } = JSON.parse(text);
    return {
      status: response.status,
      ...(error === undefined ? {} : { code: error.code }),
      ...(result === undefined
        ? {}
        : { text: result.content?.[0]?.text, structured: result.structuredContent }),
    };
  }

  /** Calls a tool, and rejects unless it answers. */
  async must(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const answer = await this.call(name, args);
    if (answer.status === 200 && answer.code === undefined) return answer;
    throw new Error(`${name} answered ${answer.status} with ${answer.code}`);
  }

  /** Ends the session; one that is gone was ended by an answer that was lost. */
  async end(): Promise<void> {
    const { response, text } = await this.#retry(() => this.#request({ method: "DELETE" }));
    if (response.status !== 204 && response.status !== 404) {
      throw new Error(`DELETE answered ${response.status}: ${text}`);
    }
  }

  /** Opens the stream of the session; the answer may be a 502. */
  async listen(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const resume = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return await this.#request({
      method: "GET",
      headers: { accept: "text/event-stream", ...resume },
      signal,
    });
  }

  async #send(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const { era } = this.options;
    const name = params.name;
    const modern = {
      "io.modelcontextprotocol/protocolVersion": REVISION.modern,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const sent = era === "modern" ? { ...params, _meta: modern } : params;
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params: sent });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(era === "modern" ? { "mcp-method": method, "mcp-name": String(name) } : {}),
    };
    return await this.#retry(() =>
      this.#request({ method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
    );
  }

  #request(init: RequestInit & { readonly headers?: Record<string, string> }): Promise<Response> {
    const { url, kind, era, client } = this.options;
    const headers = {
      ...init.headers,
      authorization: `Bearer ${tokenOf(client)}`,
      "mcp-protocol-version": REVISION[era],
      ...(this.session === "" ? {} : { "mcp-session-id": this.session }),
    };
    return fetch(`${url}/${kind}`, { ...init, headers });
  }

  async #retry(
    send: () => Promise<Response>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const start = Date.now();
    for (;;) {
      try {
        const response = await send();
        const text = await response.text();
        if (response.status !== 502) {
          this.answeredAt = Date.now();
          this.longestMs = Math.max(this.longestMs, this.answeredAt - start);
          return { response, text };
        }
      } catch {
        // The connection broke: whether the request was served is unknown.
      }
      this.lost++;
      if (Date.now() - start > PATIENCE_MS) throw new Error("A client was not answered any more");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
