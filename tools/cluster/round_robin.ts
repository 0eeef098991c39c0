/** A proxy that hands each request to the next server, and its answer back as it comes. */
export class RoundRobin implements AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #targets: () => readonly string[];
  #next = 0;

  /** @param targets Where the servers that live at the moment listen. */
  constructor(targets: () => readonly string[]) {
    this.#targets = targets;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#pass(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** A server that is gone, or goes meanwhile, is a 502: the client decides whether to send again. */
  async #pass(request: Request): Promise<Response> {
    const targets = this.#targets();
    const target = targets[this.#next++ % targets.length];
    const headers = new Headers(request.headers);
    for (const name of ["host", "connection", "content-length"]) headers.delete(name);
    headers.set("accept-encoding", "identity");
    const { pathname } = new URL(request.url);
    try {
      const body = request.method === "POST" ? await request.text() : null;
      return await fetch(`${target}${pathname}`, {
        method: request.method,
        headers,
        body,
        signal: request.signal,
      });
    } catch {
      return new Response("Bad gateway", { status: 502 });
    }
  }

  /** Stops listening. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
