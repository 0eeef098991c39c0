/**
 * Runs a script in a fresh process and collects what it prints. The peers are named in the lanes
 * by exact version; they stay out of the lock file of the project.
 *
 * @param script The file.
 * @param args Its arguments.
 * @returns Its lines.
 * @throws {Error} when the process fails.
 */
export async function runScript(script: URL, args: readonly string[]): Promise<string[]> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-all",
      "--quiet",
      "--no-lock",
      "--v8-flags=--expose-gc",
      script.pathname,
      ...args,
    ],
    stdout: "piped",
    stderr: "piped",
  });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}
