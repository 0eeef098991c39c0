/**
 * Starts the fixture server of `examples/conformance/` as a process of its own, on a free port.
 *
 * @module
 */

/** A server that runs until it is stopped. */
export interface Fixture {
  /** Where it listens. */
  readonly url: string;
  /** Ends the process. */
  stop(): Promise<void>;
}

/**
 * Starts the fixture server and waits until it listens.
 *
 * @param script What serves it. Default: `examples/conformance/main.ts`.
 * @returns Where it listens, and how to stop it.
 * @throws {Error} when the process ends before it listens.
 */
export async function startFixture(
  script: string = "examples/conformance/main.ts",
): Promise<Fixture> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-net=127.0.0.1", "--allow-env=PORT", script],
    env: { PORT: "0" },
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  while (true) {
    const url = /^Listening on (\S+)$/m.exec(printed)?.[1];
    if (url !== undefined) {
      const stop = async () => {
        process.kill();
        await Promise.all([process.status, lines.cancel()]);
      };
      return { url, stop };
    }
    const { value, done } = await lines.read();
    if (done) throw new Error("Cannot start the fixture server: it ended before it listened");
    printed += value;
  }
}
