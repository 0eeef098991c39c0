import { serve } from "@hono/node-server";
import { Agent, type IncomingMessage, request as requestOverHttp } from "node:http";
import { Readable } from "node:stream";
import type { SentRequest } from "./mcp_request.ts";

/** Whatever answers requests. */
export interface Server {
  fetch(request: Request, ...platform: readonly unknown[]): Promise<Response>;
}

/** A way to a server, open until it is disposed of. */
export interface Lane extends AsyncDisposable {
  /** Sends a request. The body of the response comes as it is written; who cancels it, hangs up. */
  fetch(request: SentRequest): Promise<Response>;
}

/** The ways to a server, by name. */
export const LANES: Readonly<Record<string, (server: Server) => Lane | Promise<Lane>>> = {
  "in process": ({ fetch }) => ({
    fetch: (request) => fetch(request),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
  "Deno.serve": (server) => overSocket(listenOnDeno(server)),
  "node:http": async (server) => overSocket(await listenOnNode(server)),
};

/** A listener on a free port of this machine. */
interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

function listenOnDeno({ fetch }: Server): Listener {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const listener = Deno.serve(options, fetch);
  return { port: listener.addr.port, close: () => listener.shutdown() };
}

function listenOnNode({ fetch }: Server): Promise<Listener> {
  return new Promise((resolve) => {
    const options = {
      fetch,
      hostname: "127.0.0.1",
      port: 0,
      overrideGlobalObjects: false, // other lanes have their own
    };
    const listener = serve(options, ({ port }) => {
      const close = () => new Promise<void>((done) => listener.close(() => done()));
      resolve({ port, close });
    });
  });
}

/** Sends what a request says and nothing else: `fetch` adds an `Accept`, and chooses the `Host`. */
function overSocket({ port, close }: Listener): Lane {
  const agent = new Agent(); // a connection for each request
  return {
    fetch: async (request) => {
      const { method, signal } = request;
      const { pathname, search, host } = new URL(request.url);
      const headers = { host, ...request.lines ?? Object.fromEntries(request.headers) };
      const body = new Uint8Array(await request.arrayBuffer());
      return await new Promise((resolve, reject) => {
        const to = { host: "127.0.0.1", port, path: pathname + search, method, headers };
        const sent = requestOverHttp({ ...to, agent, signal }, (answer) => resolve(read(answer)));
        sent.on("error", reject);
        sent.end(body.length === 0 ? undefined : body);
      });
    },
    async [Symbol.asyncDispose]() {
      agent.destroy(); // hangs up, where an answer was left unread
      await close();
    },
  };
}

function read(answer: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = answer;
  const isEmpty = status === 204;
  if (isEmpty) answer.resume();
  const body = isEmpty ? null : Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers: headers as HeadersInit });
}
