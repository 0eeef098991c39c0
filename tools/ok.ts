/**
 * Everything that must hold before a change is merged, in one command: `deno task ok`. Each step
 * prints its time; a step that fails prints its output, and the others still run. Two lanes run at once,
 * and the coverage is told after them.
 *
 * @module
 */
import config from "../deno.json" with { type: "json" };

const exported = Object.values(config.exports);

/** All but the lanes of the peers, whose packages stay out of the lock file. */
const CHECKED: readonly string[] = [
  "mod.ts",
  "src",
  "tests",
  "examples",
  "tools",
  "bench/asking_bench.ts",
  "bench/auth_bench.ts",
  "bench/dispatch_bench.ts",
  "bench/blob_bench.ts",
  "bench/envelope_bench.ts",
  "bench/kernel_bench.ts",
  "bench/lean_bench.ts",
  "bench/peers/limen.ts",
];

/** Title of a step, with what `deno` is given. */
type Step = readonly [title: string, args: readonly string[]];

/** What says most about a change, beside the other lane. */
const TESTS: readonly Step[] = [
  ["list of tests", [
    "run",
    "--allow-read",
    "--allow-write=coverage",
    "tools/gather_tests.ts",
    "coverage/tests",
  ]],
  ["tests", [
    "test",
    "-A",
    "--no-check", // the other lane checks the types of everything
    "--parallel",
    "--clean",
    "--coverage=coverage/raw",
    "--coverage-raw-data-only",
    "coverage/tests",
  ]],
];

/**
 * What the tests covered, when both lanes are over: a test of an example writes again what Deno keeps of the modules
 * it loads, and a report made in that moment misses one.
 */
const COVERAGE: readonly Step[] = [
  ["coverage report", [
    "coverage",
    "--lcov",
    "--include=/src/",
    "--output=coverage/lcov.info",
    "coverage/raw",
  ]],
  ["coverage", [
    "run",
    "--allow-read",
    "--allow-env",
    "tools/check_coverage.ts",
    "coverage/lcov.info",
  ]],
];

/** All the rest, in order. */
const CHECKS: readonly Step[] = [
  ["format", ["fmt", "--check"]],
  ["lint", ["lint"]],
  ["rooms", ["run", "--allow-read", "--allow-env", "tools/lint_rooms.ts"]],
  ["tables of the documentation", [
    "run",
    "--allow-read",
    "--allow-env",
    "tools/write_tables.ts",
    "--check",
  ]],
  ["types, with the lock file current", ["check", "--frozen", ...CHECKED]],
  ["types, with those of a browser", ["check", "--config", "tools/dom.deno.json", ...exported]],
  ["documentation of what is exported", ["doc", "--lint", ...exported]],
  ["examples in comments and in Markdown", [
    "test",
    "-A",
    "--doc",
    "--parallel",
    "--ignore=tests,dist,coverage",
  ]],
  ["build", ["task", "build"]],
  ["package", ["publish", "--dry-run", "--allow-dirty", "--config", "dist/package/deno.json"]],
];

/** @returns The titles of the steps that failed. */
async function runLane(steps: readonly Step[]): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const step of steps) {
    if (!await run(step)) failed.push(step[0]);
  }
  return failed;
}

async function run([title, args]: Step): Promise<boolean> {
  const start = performance.now();
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { FUZZ_RUNS: "500" }, // `deno task test` sends twenty times as many
    stdin: "null",
  }).output();
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6);
  console.log(`${success ? "ok  " : "FAIL"} ${seconds} s  ${title}`);
  if (!success) {
    console.log(`\n$ deno ${args.join(" ")}\n`);
    await Deno.stdout.write(stdout);
    await Deno.stderr.write(stderr);
  }
  return success;
}

if (import.meta.main) {
  const failed = (await Promise.all([TESTS, CHECKS].map(runLane))).flat();
  failed.push(...await runLane(COVERAGE));
  console.log(failed.length === 0 ? "All is well" : `Failed: ${failed.join("; ")}`);
  if (failed.length > 0) Deno.exit(1);
}
