/**
 * Compares what a leg of the conformance suite found with what its baseline expects. A warning, which
 * is a SHOULD of the specification, counts like a failure.
 *
 * @module
 */

/** One check of a scenario, as the suite writes it. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What a leg found: the checks of each scenario that it ran. */
export type LegResults = ReadonlyMap<string, readonly Check[]>;

/** What a leg may fail: for each missing capability, scenarios or single checks (`scenario:id`). */
export type LegBaseline = Readonly<Record<string, readonly string[]>>;

/** One scenario, counted. */
export interface ScenarioRow {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly skipped: number;
  /** The capabilities that the baseline excuses it by. */
  readonly waitsFor: readonly string[];
}

/** What a leg amounts to. */
export interface Verdict {
  readonly rows: readonly ScenarioRow[];
  /** One sentence for everything that must not be; empty when all is as expected. */
  readonly problems: readonly string[];
}

/**
 * Judges a leg: a check may fail only where the baseline says so, and an entry of the baseline must
 * name something that the leg ran and that does fail.
 *
 * @returns A row for each scenario, and the problems.
 */
export function judgeLeg(results: LegResults, baseline: LegBaseline): Verdict {
  const entries = Object.entries(baseline).flatMap(([capability, names]) =>
    names.map((name) => ({ capability, name, scenario: name.split(":")[0] }))
  );
  const rows: ScenarioRow[] = [];
  const problems: string[] = [];
  const used = new Set<string>();

  for (const [scenario, checks] of results) {
    const excuses = entries.filter((entry) => entry.scenario === scenario);
    for (const check of checks.filter(isBad)) {
      const full = `${scenario}:${check.id}`;
      const excuse = excuses.find(({ name }) => name === scenario || name === full);
      if (excuse !== undefined) used.add(excuse.name);
      else problems.push(`${check.status} ${full}: ${check.errorMessage ?? "no message"}`);
    }
    const count = (status: Check["status"]) =>
      checks.filter((check) => check.status === status).length;
    rows.push({
      scenario,
      passed: count("SUCCESS"),
      failed: count("FAILURE"),
      warned: count("WARNING"),
      skipped: count("SKIPPED"),
      waitsFor: [...new Set(excuses.map(({ capability }) => capability))],
    });
  }

  for (const { capability, name, scenario = "" } of entries) {
    if (used.has(name)) continue;
    problems.push(
      results.has(scenario)
        ? `Stale entry of ${capability}: ${name} does not fail, so take it out of the baseline`
        : `Unknown entry of ${capability}: this leg runs no scenario ${scenario}`,
    );
  }
  return { rows, problems };
}

function isBad({ status }: Check): boolean {
  return status === "FAILURE" || status === "WARNING";
}
