import { type ReadAnswerOptions, readTestAnswer } from "./read_test_answer.ts";
import type { TestAnswer } from "./test_answer.ts";

/** What is tested: a server, or an application that one is mounted on. */
export interface TestServer {
  /** Answers a request. */
  fetch(request: Request, ...platform: readonly unknown[]): Response | Promise<Response>;
}

/** One HTTP request of the client. */
export interface Outgoing extends ReadAnswerOptions {
  /** Its headers, over those that every request has. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON-RPC message; without one it is a DELETE. */
  readonly message?: object;
}

/** Where every request goes, and what goes with it. */
export interface TransportOptions {
  /** The server's URL. Default `"http://localhost/mcp"`. */
  readonly url?: string;
  /** Headers of every request, such as `authorization`; they win over the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a platform would pass beside the request, such as Workers' `env`. Default: nothing. */
  readonly platform?: readonly unknown[];
}

/** Makes what hands requests to a server and reads its answers; nothing leaves the process. */
export function createInProcessTransport(
  server: TestServer,
  options: TransportOptions,
): (outgoing: Outgoing) => Promise<TestAnswer> {
  const { url = "http://localhost/mcp", platform = [] } = options;
  return async ({ headers, message, signal, onNotification }) => {
    const body = message === undefined ? {} : {
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(message),
    };
    const request = new Request(url, {
      method: message === undefined ? "DELETE" : "POST",
      ...body,
      ...(signal === undefined ? {} : { signal }),
    });
    for (const [name, value] of Object.entries({ ...headers, ...options.headers })) {
      request.headers.set(name, value);
    }
    const response = await server.fetch(request, ...platform);
    return await readTestAnswer(response, { signal, onNotification });
  };
}
