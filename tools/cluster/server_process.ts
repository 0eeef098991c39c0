import { fileURLToPath } from "node:url";

/** What a process is started with. */
export interface ServerProcessOptions {
  /** Path of the socket that Redis listens on. */
  readonly socket: string;
  /** How many clients it knows. */
  readonly clients: number;
}

/** A process that runs `serve.ts`, by its handle. */
export class ServerProcess {
  /** Where it listens. */
  readonly url: string;
  readonly #process: Deno.ChildProcess;

  private constructor(process: Deno.ChildProcess, port: string) {
    this.#process = process;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * Starts one.
   *
   * @returns Once it listens.
   * @throws {Error} when it ends before.
   */
  static async start({ socket, clients }: ServerProcessOptions): Promise<ServerProcess> {
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        fileURLToPath(new URL("serve.ts", import.meta.url)),
        socket,
        `${clients}`,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let printed = "";
    while (!printed.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) throw new Error("Cannot start a server process: it ended before it listened");
      printed += value;
    }
    await reader.cancel();
    return new ServerProcess(process, printed.trim());
  }

  /** Its process id. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // it has ended
    }
    await this.#process.stdin.close().catch(() => {});
    await this.#process.status;
  }
}
