/**
 * Serves the example on this machine: `deno task start`. `PORT` picks the port, `INVOICES_DATABASE` a
 * file that stays, and `INVOICES_TOKEN` a token that writes ask for.
 *
 * @module
 */
import { InvoiceDatabase } from "./database.ts";
import { describeStart } from "./describe_start.ts";
import { seed } from "./seed.ts";
import { createServer } from "./server.ts";

const hostname = "127.0.0.1";
const port = readPort(Deno.env.get("PORT") ?? "8000");
const path = Deno.env.get("INVOICES_DATABASE");
const token = Deno.env.get("INVOICES_TOKEN");

const folder = path === undefined ? Deno.makeTempDirSync({ prefix: "invoices-" }) : undefined;
const database = new InvoiceDatabase(path ?? `${folder}/invoices.db`);
if (database.countInvoices({}) === 0) seed(database);

const server = createServer(database, { token });
const http = listen();
const url = `http://${hostname}:${http.addr.port}/mcp`;
console.log(await describeStart(server, { url, token, folder }));

Deno.addSignalListener("SIGINT", stop);
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", stop);

function listen(): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname, port, onListen: () => {} }, server.fetch);
  } catch (error) {
    cleanUp();
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    return fail(`Cannot listen on ${hostname}:${port}: the port is in use; choose another in PORT`);
  }
}

/** Answers what is under way, takes nothing new, and leaves nothing behind. */
async function stop(): Promise<void> {
  Deno.removeSignalListener("SIGINT", stop); // a second Ctrl+C does not wait
  console.log("Stopping");
  await server.close();
  await http.shutdown();
  cleanUp();
  Deno.exit(0);
}

function cleanUp(): void {
  database.close();
  if (folder !== undefined) Deno.removeSync(folder, { recursive: true });
}

function readPort(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= 65_535) return number;
  return fail(`Cannot listen on port ${JSON.stringify(text)}: PORT must be 0 to 65535`);
}

function fail(message: string): never {
  console.error(message);
  Deno.exit(1);
}
