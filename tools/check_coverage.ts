/**
 * Fails when the tests cover too little of `src/`. Reads the report of `deno coverage --lcov`:
 * `deno run --allow-read --allow-env tools/check_coverage.ts coverage/lcov.info`.
 *
 * @module
 */
import ts from "npm:typescript@5.9.3";

/** The least that the tests must cover of `src/` as a whole, in percent. */
const THRESHOLDS = { lines: 95, branches: 90 } as const;

/** How many files below a threshold are listed. */
const LISTED = 15;

/** What was counted in a file, or in all of them. */
export interface Coverage {
  /** Lines that run in a test. */
  readonly linesHit: number;
  /** Lines that could run. */
  readonly linesFound: number;
  /** Branches taken in a test. */
  readonly branchesHit: number;
  /** Branches that could be taken. */
  readonly branchesFound: number;
}

/** The verdict on a report. */
export interface Verdict {
  /** Whether both thresholds are met and no file was left out. */
  readonly isEnough: boolean;
  /** What to print, worst files first. */
  readonly lines: readonly string[];
}

/**
 * Reads an lcov report.
 *
 * @param lcov The report's text.
 * @param root Path of the repository, which the report's paths start with.
 * @returns What was counted, by path from the root.
 */
export function readLcov(lcov: string, root: string): ReadonlyMap<string, Coverage> {
  const files = new Map<string, Coverage>();
  for (const record of lcov.split("end_of_record")) {
    const path = /^SF:(.*)$/m.exec(record)?.[1];
    if (path === undefined) continue;
    const count = (key: string) =>
      Number(new RegExp(`^${key}:(\\d+)$`, "m").exec(record)?.[1] ?? 0);
    files.set(path.replace(`${root}/`, ""), {
      linesHit: count("LH"),
      linesFound: count("LF"),
      branchesHit: count("BRH"),
      branchesFound: count("BRF"),
    });
  }
  return files;
}

/**
 * Judges a report.
 *
 * @param covered What was counted, by path.
 * @param expected Paths of the files with code that runs; one that no test loads is a failure.
 */
export function judge(
  covered: ReadonlyMap<string, Coverage>,
  expected: readonly string[],
): Verdict {
  const rows = [...covered].filter(([path]) => path.startsWith("src/"));
  const total = rows.reduce((sum, [, row]) => add(sum, row), NOTHING);
  const missing = expected.filter((path) => !covered.has(path));
  const worst = rows.filter(([, row]) => !isEnough(row))
    .sort(([, a], [, b]) => percent(a) - percent(b))
    .slice(0, LISTED);
  return {
    isEnough: isEnough(total) && missing.length === 0,
    lines: [
      ...missing.map((path) => `${path}: no test loads it`),
      ...worst.map(([path, row]) => `${path}: ${format(row)}`),
      `src/: ${format(total)} (at least ${THRESHOLDS.lines} and ${THRESHOLDS.branches})`,
    ],
  };
}

const NOTHING: Coverage = { linesHit: 0, linesFound: 0, branchesHit: 0, branchesFound: 0 };

function add(a: Coverage, b: Coverage): Coverage {
  return {
    linesHit: a.linesHit + b.linesHit,
    linesFound: a.linesFound + b.linesFound,
    branchesHit: a.branchesHit + b.branchesHit,
    branchesFound: a.branchesFound + b.branchesFound,
  };
}

function share(hit: number, found: number): number {
  return found === 0 ? 100 : 100 * hit / found;
}

function percent(row: Coverage): number {
  return share(row.linesHit + row.branchesHit, row.linesFound + row.branchesFound);
}

function isEnough(row: Coverage): boolean {
  return share(row.linesHit, row.linesFound) >= THRESHOLDS.lines &&
    share(row.branchesHit, row.branchesFound) >= THRESHOLDS.branches;
}

function format(row: Coverage): string {
  const lines = share(row.linesHit, row.linesFound).toFixed(1);
  const branches = share(row.branchesHit, row.branchesFound).toFixed(1);
  return `lines ${lines} %, branches ${branches} %`;
}

/** Finds the files below a folder that hold more than types and re-exports. */
async function findCode(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await findCode(path));
    else if (path.endsWith(".ts") && hasCode(await Deno.readTextFile(path))) found.push(path);
  }
  return found.sort();
}

function hasCode(text: string): boolean {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
    },
  });
  return outputText.replaceAll(/^export (\*|\{[^}]*\})( from .*)?;$/gm, "").trim() !== "";
}

if (import.meta.main) {
  const lcov = await Deno.readTextFile(Deno.args[0] ?? "coverage/lcov.info");
  const verdict = judge(readLcov(lcov, Deno.cwd()), await findCode("src"));
  console.log(verdict.lines.join("\n"));
  if (!verdict.isEnough) Deno.exit(1);
}
