import { serve } from "@hono/node-server";
import { request as requestOverHttp } from "node:http";

/** Whatever answers requests. */
interface Server {
  fetch(request: Request, ...platform: readonly unknown[]): Promise<Response>;
}

/** A listener on a free port of this machine. */
interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** The ways to a server, by name: each sends a request and answers with all of the response. */
export const LANES: Readonly<
  Record<string, (server: Server, request: Request) => Promise<Response>>
> = {
  "in process": (server, request) => server.fetch(request),
  "Deno.serve": (server, request) => overSocket(request, listenOnDeno(server)),
  "node:http": async (server, request) => overSocket(request, await listenOnNode(server)),
};

function listenOnDeno(server: Server): Listener {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const listener = Deno.serve(options, server.fetch);
  return { port: listener.addr.port, close: () => listener.shutdown() };
}

function listenOnNode(server: Server): Promise<Listener> {
  return new Promise((resolve) => {
    const options = {
      fetch: server.fetch,
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
async function overSocket(request: Request, { port, close }: Listener): Promise<Response> {
  const { pathname, search, host } = new URL(request.url);
  const headers = { host, ...Object.fromEntries(request.headers) };
  const body = new Uint8Array(await request.arrayBuffer());
  const { method } = request;
  try {
    return await new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: pathname + search, method, headers };
      const sent = requestOverHttp({ ...options, agent: false }, (answer) => {
        const chunks: Uint8Array<ArrayBuffer>[] = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => {
          const { statusCode, headers } = answer;
          const text = chunks.length === 0 ? null : new Blob(chunks);
          resolve(new Response(text, { status: statusCode!, headers: headers as HeadersInit }));
        });
      });
      sent.on("error", reject);
      sent.end(body.length === 0 ? undefined : body);
    });
  } finally {
    await close();
  }
}
