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
import {
  judgeLeg,
  type LegBaseline,
  type ScenarioRow,
  type Verdict,
} from "./conformance/judge_leg.ts";
import { type Leg, type LegRun, runLeg } from "./conformance/run_leg.ts";
import { startFixture } from "./start_fixture.ts";

const LEGS: readonly (Leg & { readonly name: keyof typeof BASELINE })[] = [
  {
    name: "2025-11-25",
    args: ["--suite", "all", "--spec-version", "2025-11-25"],
    scenarios: 33,
    checks: 84,
  },
  {
    name: "2026-07-28",
    args: ["--suite", "all", "--spec-version", "2026-07-28"],
    scenarios: 40,
    checks: 152,
  },
  // Skills are not served: of their checks only that of the wire runs, once in each scenario.
  { name: "extensions", args: ["--suite", "pending"], scenarios: 17, checks: 79 },
];

/** Judges a run; what the suite itself says must agree. */
function judge(leg: Leg, run: LegRun, baseline: LegBaseline): Verdict {
  const { rows, problems } = judgeLeg(run.results, baseline);
  const passed = countPassed(rows);
  const further: string[] = [];
  if (rows.length !== leg.scenarios) {
    further.push(`Ran ${rows.length} scenarios instead of ${leg.scenarios}:\n${run.log}`);
  } else if (!run.isAccepted && problems.length === 0) {
    further.push(`The suite refuses what was found to be well:\n${run.log}`);
  } else if (Object.keys(baseline).length === 0 && passed !== leg.checks - (leg.skipped ?? 0)) {
    further.push(
      `${passed} of ${leg.checks} checks passed, with ${leg.skipped ?? 0} to be skipped`,
    );
  }
  return { rows, problems: [...problems, ...further] };
}

function countPassed(rows: readonly ScenarioRow[]): number {
  return rows.reduce((sum, { passed }) => sum + passed, 0);
}

if (import.meta.main) {
  let passed = 0;
  let failed = 0;
  const fixture = await startFixture();
  try {
    for (const leg of LEGS) {
      const baseline = BASELINE[leg.name];
      const { rows, problems } = judge(leg, await runLeg(leg, fixture.url, baseline), baseline);
      const waiting = Object.values(baseline).flat().length;
      console.log(`${formatRows(leg.name, rows)}\n`);
      console.log(`${countPassed(rows)} of ${leg.checks} checks pass, ${waiting} entries wait\n`);
      for (const problem of problems) console.log(`  ${problem}\n`);
      passed += countPassed(rows);
      failed += problems.length;
    }
  } finally {
    await fixture.stop();
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) Deno.exit(1);
}
