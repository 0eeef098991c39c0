import { type Kind, tokenOf, type WORK } from "./wire.ts";

/** Who calls, and how. */
export interface ClusterClientOptions {
  /** Where to: the proxy, or one process. */
  readonly url: string;
  /** Which of the clients that the servers know. */
  readonly client: number;
  /** Which server: by the way in which it keeps sessions, or the one with tasks and changes. */
  readonly kind: Kind | typeof WORK;
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

/** The answer to a request. */
export interface RpcAnswer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- the checks say what they expect of it
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** How long a client goes on trying. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 20;

const REVISION = { modern: "2026-07-28", legacy: "2025-11-25" } as const;

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": REVISION.modern,
  "io.modelcontextprotocol/clientCapabilities": {
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

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

  /** Sends any request. */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<RpcAnswer> {
    const { response, text } = await this.#send(method, params);
    const { result, error } = JSON.parse(text);
    return { status: response.status, result, error };
  }

  /** Calls a tool. */
  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    const { status, result, error } = await this.request("tools/call", { name, arguments: args });
    return {
      status,
      ...(error === undefined ? {} : { code: error.code }),
      ...(result === undefined
        ? {}
        : { text: result.content?.[0]?.text, structured: result.structuredContent }),
    };
  }

  /** Calls a tool once. @returns The result; without one, nobody knows whether the tool ran. */
  async callOnce(
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<RpcAnswer["result"]> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await this.#post("tools/call", { name, arguments: args }, signal)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 502, text: "" }));
    if (answer.status === 200) {
      this.answeredAt = Date.now();
      return JSON.parse(answer.text).result;
    }
    if (answer.status !== 502) throw new Error(`${name} answered ${answer.status}: ${answer.text}`);
    this.lost++;
    return undefined;
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

  /** Opens a stream that tells of resources; the answer may be a 502. */
  async subscribe(uris: readonly string[], signal: AbortSignal): Promise<Response> {
    const notifications = { resourceSubscriptions: uris };
    return await this.#post("subscriptions/listen", { notifications }, signal);
  }

  async #send(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    return await this.#retry(() => this.#post(method, params, AbortSignal.timeout(PATIENCE_MS)));
  }

  #post(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const isModern = this.options.era === "modern";
    const sent = isModern ? { ...params, _meta: MODERN_META } : params;
    const name = params.name ?? params.taskId;
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isModern ? { "mcp-method": method } : {}),
      ...(isModern && name !== undefined ? { "mcp-name": String(name) } : {}),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params: sent });
    return this.#request({ method: "POST", headers, body, signal });
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
