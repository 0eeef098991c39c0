/** A program to start. */
export interface RuntimeCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A program that runs until it is disposed of. */
export interface StartedRuntime extends AsyncDisposable {
  /** The ports that it serves, as its first line names them. */
  readonly ports: readonly number[];
}

/**
 * Starts a program that prints the ports it serves as its first line.
 *
 * @throws {Error} when it ends, or prints nothing for 20 s.
 */
export async function startRuntime(
  { name, command, args, cwd }: RuntimeCommand,
): Promise<StartedRuntime> {
  const child = new Deno.Command(command, { args: [...args], cwd, stdout: "piped" }).spawn();
  const dispose = async (): Promise<void> => {
    try {
      child.kill("SIGKILL"); // workerd would wait for its streams
    } catch {
      // It ended by itself.
    }
    await child.stdout.cancel();
    await child.status;
  };
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const line = await readLine(child.stdout);
  clearTimeout(timer);
  const ports = line.match(/\d+/g)?.map(Number);
  if (ports === undefined) {
    await dispose();
    throw new Error(`Cannot start ${name}: it printed no port`);
  }
  return { ports, [Symbol.asyncDispose]: dispose };
}

async function readLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  reader.releaseLock();
  return text;
}
