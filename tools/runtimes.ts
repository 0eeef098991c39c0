/**
 * Packs the library and runs one suite against the package under Deno, Node 20 and 22, Bun and
 * workerd, over a socket and within the process: `deno task runtimes`.
 *
 * The runtimes are installed from npm into `dist/runtimes/`, once; they are no dependency of the
 * library. On Node, the suite also runs behind Express, whose parser has read the body before.
 *
 * @module
 */
import { runSuite, type Verdict } from "../tests/runtimes/suite.ts";
import { type Installed, installRuntimes } from "./install_runtimes.ts";
import { startRuntime } from "./start_runtime.ts";

/** A program that serves the suite. */
interface Runtime {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What is served on each port that it prints. */
  readonly places: readonly string[];
}

const EXPRESS = ["express", "express4"];
const NODE_PLACES = [
  "socket",
  "Express 5, bytes kept",
  "Express 5, body parsed",
  "Express 4, bytes kept",
  "Express 4, body parsed",
];

function listRuntimes({ bin, versions }: Installed): readonly Runtime[] {
  const deno = ["run", "-A", "--no-config", "--no-lock", "--node-modules-dir=manual"];
  return [
    {
      name: `Deno ${Deno.version.deno}`,
      command: Deno.execPath(),
      args: [...deno, "--unstable-no-legacy-abort", "run_deno.js"],
      places: ["socket"],
    },
    {
      name: `Node ${versions.node20}`,
      command: bin.node20,
      args: ["run_node.js", ...EXPRESS],
      places: NODE_PLACES,
    },
    {
      name: `Node ${versions.node22}`,
      command: bin.node22,
      args: ["run_node.js", ...EXPRESS],
      places: NODE_PLACES,
    },
    { name: `Bun ${versions.bun}`, command: bin.bun, args: ["run_bun.js"], places: ["socket"] },
    {
      name: `workerd ${versions.workerd}`,
      command: bin.workerd,
      args: ["serve", "workerd.capnp", "--control-fd=1"],
      places: ["socket"],
    },
  ];
}

/** What the suite says of one runtime, by place. */
type Judgement = ReadonlyMap<string, readonly Verdict[]>;

async function judge(runtime: Runtime, cwd: string): Promise<Judgement> {
  const verdicts = new Map<string, readonly Verdict[]>();
  await using started = await startRuntime({ ...runtime, cwd });
  for (const [i, place] of runtime.places.entries()) {
    const url = `http://127.0.0.1:${started.ports[i]}/mcp`;
    const hasParser = place.startsWith("Express");
    const send = (init: RequestInit): Promise<Response> => fetch(url, init);
    const isolatesRequests = runtime.name.startsWith("workerd");
    const target = { fetch: send, hasSocket: true, hasParser, isolatesRequests };
    verdicts.set(place, await runSuite(target));
  }
  const inside = await fetch(`http://127.0.0.1:${started.ports[0]}/suite`);
  verdicts.set("in process", await inside.json());
  return verdicts;
}

/** A runtime that cannot be judged has failed once. */
function failure(error: unknown): Judgement {
  return new Map([["run", [{ title: "the runtime can be judged", problem: String(error) }]]]);
}

if (import.meta.main) {
  const installed = await installRuntimes("dist/runtimes");
  let passed = 0;
  const problems: string[] = [];
  for (const runtime of listRuntimes(installed)) {
    for (const [place, verdicts] of await judge(runtime, installed.folder).catch(failure)) {
      const failed = verdicts.filter(({ problem }) => problem !== undefined);
      passed += verdicts.length - failed.length;
      for (const { title, problem } of failed) {
        problems.push(`${runtime.name}, ${place}: ${title}\n  ${problem}`);
      }
      const counts = `${verdicts.length - failed.length} passed  ${failed.length} failed`;
      console.log(`${runtime.name.padEnd(22)}  ${place.padEnd(23)}  ${counts}`);
    }
  }
  for (const problem of problems) console.log(`\n${problem}`);
  console.log(`\n${passed} passed, ${problems.length} failed`);
  Deno.exit(problems.length === 0 && passed > 0 ? 0 : 1);
}
