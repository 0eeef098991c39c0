/** How a package is run. */
export interface PackageOptions {
  /** The lock file that pins it and all that it depends on. */
  readonly lock: string;
  /** What it may do, as flags of `deno run`. */
  readonly permissions: readonly string[];
  /** What it is told. */
  readonly args: readonly string[];
}

/** How a run ended. */
export interface PackageRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command of a package from npm. It has a lock file of its own, so that it never becomes a
 * dependency of the library; the registry is asked only for what the cache lacks.
 *
 * @param name The package with its exact version, such as `npm:cowsay@1.6.0`.
 */
export async function runPackage(name: string, options: PackageOptions): Promise<PackageRun> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-config", `--lock=${options.lock}`, "--frozen"],
      ...options.permissions,
      name,
      ...options.args,
    ],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
