/**
 * Serves the suite with `node:http` by way of `@hono/node-server`, and prints the ports: first of
 * the listener alone, then behind Express, whose packages are named as arguments, with a parser
 * that keeps the bytes and with one that does not.
 *
 * @module
 */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { getRequestListener } from "@hono/node-server";
import { serveSuite } from "./serve_suite.ts";

/** What is used of Express, which is installed for this run alone. */
interface Express {
  (): { use(...handlers: readonly unknown[]): RequestListener };
  json(options: object): unknown;
}

interface Parsed extends IncomingMessage {
  rawBody?: Uint8Array;
  readonly body?: unknown;
}

const listener = getRequestListener((request, { incoming }) =>
  serveSuite(request, { remoteAddr: { hostname: incoming.socket.remoteAddress } })
);
const listeners: RequestListener[] = [listener];

for (const name of process.argv.slice(2)) {
  const { default: express }: { readonly default: Express } = await import(name);
  const limit = "2mb";
  const verify = (request: Parsed, _response: unknown, bytes: Uint8Array): void => {
    request.rawBody = bytes;
  };
  const restore = (request: Parsed, _response: unknown, next: () => void): void => {
    if (request.readableDidRead) request.rawBody = Buffer.from(JSON.stringify(request.body));
    next();
  };
  listeners.push(express().use(express.json({ limit, verify }), listener));
  listeners.push(express().use(express.json({ limit }), restore, listener));
}

console.log((await Promise.all(listeners.map(listen))).join(" "));

function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
