/**
 * Clients that leave without a word, and what a server holds after them: for `leak_test.ts`, and at
 * full size for `deno task leak`.
 *
 * @module
 */
import { McpServer, param, unrestricted } from "@limen/mcp";
import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { legacyRequest, openSession } from "../_support/legacy_session.ts";
import { mcpRequest } from "../_support/mcp_request.ts";

/** What is held at one moment. */
export interface Holdings {
  /** Entries of the store. */
  readonly entries: number;
  /** Subscriptions of the broker, one for each stream of a session. */
  readonly subscriptions: number;
  /** Calls that run. */
  readonly calls: number;
  /** Open files and sockets of this process. */
  readonly handles: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 50;
const NOTE = "x".repeat(1000);

/** A server for each way of keeping sessions, in process and on a socket, and its clients. */
export class LeavingClients implements AsyncDisposable {
  readonly #clock = fakeClock();
  readonly #store = memoryStore({ clock: this.#clock });
  readonly #broker = memoryBroker();
  readonly #servers = (["stored", "sealed"] as const).map((sessions) => this.#create(sessions));
  readonly #listener: Deno.HttpServer<Deno.NetAddr>;
  #calls = 0;
  #complaint: string | undefined;

  /** Listens at once. */
  constructor() {
    this.#listener = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      this.#servers[0]!.fetch,
    );
  }

  /** What is held at the moment. */
  get holdings(): Holdings {
    return {
      entries: this.#store.size,
      // The servers listen to each other for as long as they serve.
      subscriptions: this.#broker.activeSubscriptions - this.#servers.length,
      calls: this.#calls,
      handles: [...Deno.readDirSync("/proc/self/fd")].length,
    };
  }

  /** Opens sessions, uses each once, and leaves them. */
  async openSessions(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const server = this.#servers[i % this.#servers.length]!;
      const id = await openSession(server);
      await (await server.fetch(legacyRequest(id))).body?.cancel();
    }
  }

  /** Opens streams over a socket, and aborts each after its first bytes. */
  async abortStreams(count: number): Promise<void> {
    using client = Deno.createHttpClient({});
    const url = `http://127.0.0.1:${this.#listener.addr.port}/mcp`;
    await inBatches(count, async (i) => {
      const sent = i % 3 === 0
        ? modernCall("wait")
        : i % 3 === 1
        ? legacyCall(await openSession(this.#servers[0]!), "report")
        : legacyRequest(await openSession(this.#servers[0]!), { verb: "GET" });
      const leaving = new AbortController();
      const { signal } = leaving;
      const { method, headers } = sent;
      const body = method === "POST" ? await sent.text() : null;
      const response = await fetch(url, { method, headers, body, signal, client });
      const reader = response.body!.getReader();
      await reader.read();
      leaving.abort();
      await reader.read().catch(() => {});
    });
  }

  /** Opens all streams at once, reads nothing, and leaves when all is written. */
  async readSlowly(count: number, atPeak: () => Promise<void> = async () => {}): Promise<void> {
    const bodies: ReadableStream<Uint8Array>[] = [];
    await inBatches(count, async (i) => {
      const [server] = this.#servers;
      const session = await openSession(server!);
      if (i % 2 === 0) {
        bodies.push((await server!.fetch(legacyCall(session, "report"))).body!);
        return;
      }
      bodies.push((await server!.fetch(legacyRequest(session, { verb: "GET" }))).body!);
      for (let n = 0; n < 20; n++) {
        await server!.notify(session, { method: "notifications/message", params: { n, NOTE } });
      }
    });
    await until(() => this.#calls === 0);
    await atPeak();
    await Promise.all(bodies.map((body) => body.cancel()));
  }

  /**
   * Lets the server notice, and so much time pass that sessions have expired.
   *
   * @throws {Error} when the server has warned of anything.
   */
  async settle(): Promise<void> {
    await until(() => this.holdings.subscriptions <= 0 && this.#calls === 0);
    this.#clock.advance(8 * DAY_MS);
    await this.openSessions(2); // whoever comes next tidies up
    if (this.#complaint !== undefined) throw new Error(this.#complaint);
    for (let left = this.#store.size; left > 0; left--) {
      await this.#store.set("limit:tidy", "1"); // a write looks for what has expired
    }
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.shutdown();
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #create(sessions: "stored" | "sealed"): McpServer {
    const server = new McpServer({
      name: sessions,
      version: "1.0.0",
      secret: "a secret of more than thirty-two bytes",
      sessions,
      stores: this.#store,
      broker: this.#broker,
      replay: {},
      clock: this.#clock,
      log: ({ event, message }) => {
        this.#complaint ??= `${event}: ${message}`;
      },
      maxStreams: 10_000,
      maxStreamsPerCaller: 10_000,
      limits: { perCaller: { maxInFlight: 10_000 } },
    });
    server.tool("wait", {
      description: "Reports progress, and waits until its client leaves.",
      effect: "read",
      permissions: [unrestricted],
    }, ({ progress, signal }) =>
      this.#count(async () => {
        progress(1);
        if (signal.aborted) return;
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      }));
    server.tool("report", {
      description: "Reports much progress.",
      effect: "read",
      reads: { reports: param.integer({ default: 100 }) },
      permissions: [unrestricted],
    }, ({ args, progress }) =>
      this.#count(async () => {
        for (let i = 1; i <= args.reports; i++) {
          progress(i, { message: NOTE });
          if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
        }
      }));
    return server;
  }

  async #count(run: () => Promise<void>): Promise<string> {
    this.#calls++;
    try {
      await run();
      return "done";
    } finally {
      this.#calls--;
    }
  }
}

function modernCall(name: string): Request {
  return mcpRequest("modern", {
    method: "tools/call",
    params: { name },
    meta: { progressToken: 1 },
  });
}

function legacyCall(session: string, name: string): Request {
  const params = { name, _meta: { progressToken: 1 } };
  return legacyRequest(session, { message: { id: 1, method: "tools/call", params } });
}

async function inBatches(count: number, run: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: Math.min(BATCH, count) }, async () => {
    while (next < count) await run(next++);
  }));
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error("The server did not notice that its clients left");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
