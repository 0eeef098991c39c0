/**
 * Runs the official MCP conformance suite against `examples/conformance/`, at both revisions and for
 * the extensions: `deno task conformance`. What may still fail is in `tests/conformance/baseline.ts`.
 *
 * Prints one table for each leg and ends with `N passed, N failed`: checks that passed, and checks
 * that failed unexpectedly together with entries of the baseline that are stale or unknown.
 *
 * @module
 */
import { BASELINE } from "../tests/conformance/baseline.ts";
import { formatRows } from "./conformance/format_rows.ts";
import { judgeLeg } from "./conformance/judge_leg.ts";
import { type Leg, runLeg } from "./conformance/run_leg.ts";
import { startFixture } from "./start_fixture.ts";

const LEGS: readonly (Leg & { readonly name: keyof typeof BASELINE })[] = [
  {
    name: "2025-11-25",
    args: ["--suite", "all", "--spec-version", "2025-11-25"],
    scenarios: 33,
  },
  {
    name: "2026-07-28",
    args: ["--suite", "all", "--spec-version", "2026-07-28"],
    scenarios: 40,
  },
  { name: "extensions", args: ["--suite", "pending"], scenarios: 17 },
];

if (import.meta.main) {
  let passed = 0;
  let failed = 0;
  const fixture = await startFixture();
  try {
    for (const leg of LEGS) {
      const baseline = BASELINE[leg.name];
      const { results, isAccepted, log } = await runLeg(leg, fixture.url, baseline);
      const { rows, problems } = judgeLeg(results, baseline);
      const found = [...problems];
      if (rows.length !== leg.scenarios) {
        found.push(`Ran ${rows.length} scenarios instead of ${leg.scenarios}:\n${log}`);
      } else if (!isAccepted && problems.length === 0) {
        found.push(`The suite refuses what was found to be well:\n${log}`);
      }
      console.log(`${formatRows(leg.name, rows)}\n`);
      for (const problem of found) console.log(`  ${problem}`);
      if (found.length > 0) console.log();
      passed += rows.reduce((sum, row) => sum + row.passed, 0);
      failed += found.length;
    }
  } finally {
    await fixture.stop();
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exit(1);
}
