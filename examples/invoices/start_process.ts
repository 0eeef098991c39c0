/** The example as a process of its own. */
export interface RunningProcess {
  /** What it printed when it had started. */
  readonly banner: string;
  /** Where it is reached. */
  readonly url: string;
  /** Asks it to stop, and tells its exit code; twice does no more than once. */
  readonly stop: () => Promise<number>;
}

/** Runs `deno task start` and waits until it listens. */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<RunningProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "start"],
    cwd: new URL("../..", import.meta.url),
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let banner = "";
  while (!banner.includes("claude mcp add")) {
    const { value, done } = await output.read();
    if (done) throw new Error(`Cannot start the example: it printed ${JSON.stringify(banner)}`);
    banner += value;
  }
  let stopping: Promise<number> | undefined;
  const stop = async () => {
    child.kill("SIGTERM");
    await output.cancel();
    return (await child.status).code;
  };
  return { banner, url: /http:\S+/.exec(banner)![0], stop: () => stopping ??= stop() };
}
