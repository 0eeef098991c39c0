/** A `redis-server` of a test's own, on a Unix socket in a folder of its own. */
export class RedisServer implements AsyncDisposable {
  /** Path of its socket. */
  readonly path: string;
  readonly #folder: string;
  readonly #appendfsync: string;
  #process: Deno.ChildProcess | undefined;

  private constructor(folder: string, appendfsync: string) {
    this.#folder = folder;
    this.#appendfsync = appendfsync;
    this.path = `${folder}/redis.sock`;
  }

  /** Starts one that keeps a log of its writes, by default one that never loses any. */
  static async start(appendfsync: "always" | "everysec" = "always"): Promise<RedisServer> {
    const folder = await Deno.makeTempDir({ prefix: "limen-redis-" });
    const server = new RedisServer(folder, appendfsync);
    await server.restart();
    return server;
  }

  /** Starts it again, with what it kept; resolves once it answers. */
  async restart(): Promise<void> {
    this.#process = new Deno.Command("redis-server", {
      args: [
        ...["--port", "0", "--unixsocket", this.path, "--dir", this.#folder, "--save", ""],
        ...["--appendonly", "yes", "--appendfsync", this.#appendfsync],
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await this.send("PING").catch(() => "") === "+PONG\r\n") return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error("redis-server did not answer within 5 s");
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    process?.kill("SIGKILL");
    await process?.status;
  }

  /** Sends one line over a connection of its own, and answers what comes first. */
  async send(line: string): Promise<string> {
    using connection = await Deno.connect({ transport: "unix", path: this.path });
    await connection.write(new TextEncoder().encode(`${line}\r\n`));
    const buffer = new Uint8Array(65536);
    const count = await connection.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, count));
  }

  /** Ends it and removes its folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#folder, { recursive: true });
  }
}
