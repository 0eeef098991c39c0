import { runPackage } from "../run_package.ts";
import type { Check, LegBaseline, LegResults } from "./judge_leg.ts";

/** One run of the suite. */
export interface Leg {
  /** Its name in the baseline and in the table. */
  readonly name: string;
  /** What the suite is asked for. */
  readonly args: readonly string[];
  /** How many scenarios it must run; fewer would prove less than the table says. */
  readonly scenarios: number;
  /** How many checks pass when nothing fails and nothing is skipped. */
  readonly checks: number;
  /** How many of them are skipped for want of a feature; goes when it comes. Default: none. */
  readonly skipped?: number;
}

/** What a run of the suite gave. */
export interface LegRun {
  readonly results: LegResults;
  /** Whether the suite itself agrees with the baseline. */
  readonly isAccepted: boolean;
  /** What it printed. */
  readonly log: string;
}

const SUITE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
const TIMEOUT_MS = 15_000;

/**
 * Runs the official suite against a server. It may reach nothing but this machine.
 *
 * @param leg What to run.
 * @param url Where the server listens, on 127.0.0.1.
 * @param baseline What may fail; handing it over also makes the suite refuse warnings.
 */
export async function runLeg(leg: Leg, url: string, baseline: LegBaseline): Promise<LegRun> {
  const folder = await Deno.makeTempDir({ prefix: "conformance-" });
  try {
    const expected = `${folder}/expected.yml`;
    await Deno.writeTextFile(expected, toYaml(baseline));
    const { code, stdout, stderr } = await runPackage(SUITE, {
      lock: "tools/conformance/deno.lock",
      permissions: [
        "--allow-read",
        "--allow-env",
        "--allow-net=127.0.0.1",
        `--allow-write=${folder}`,
      ],
      args: [
        ...["server", "--url", url, ...leg.args, "--expected-failures", expected],
        ...["-o", `${folder}/results`, "--timeout", String(TIMEOUT_MS)],
      ],
    });
    const results = await readResults(`${folder}/results`);
    return { results, isAccepted: code === 0, log: stdout + stderr };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The form in which the suite reads what may fail. */
function toYaml(baseline: LegBaseline): string {
  const names = Object.values(baseline).flat();
  return names.length === 0
    ? "server: []\n"
    : `server:\n${names.map((name) => `  - ${name}\n`).join("")}`;
}

/** Reads `server-<scenario>-<time>/checks.json` of each scenario, in the order they ran. */
async function readResults(folder: string): Promise<LegResults> {
  const found: { readonly scenario: string; readonly time: string; readonly path: string }[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    const [, scenario, time] = /^server-(.+)-(\d{4}-\d\d-\d\dT[\d-]+Z)$/.exec(name) ?? [];
    if (scenario === undefined || time === undefined) continue;
    found.push({ scenario, time, path: `${folder}/${name}/checks.json` });
  }
  found.sort((a, b) => a.time < b.time ? -1 : 1);
  const results = new Map<string, readonly Check[]>();
  for (const { scenario, path } of found) {
    results.set(scenario, JSON.parse(await Deno.readTextFile(path)));
  }
  return results;
}
