import type { ScenarioRow } from "./judge_leg.ts";

/**
 * Writes the scenarios of a leg as a table, with a line of totals.
 *
 * @param title The name of the leg, the head of the first column.
 */
export function formatRows(title: string, rows: readonly ScenarioRow[]): string {
  const total = (of: (row: ScenarioRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const numbers = (row: ScenarioRow) => [row.passed, row.failed, row.warned, row.skipped];
  const cells = [
    [title, "passed", "failed", "warned", "skipped", "waits for"],
    ...rows.map((row) => [row.scenario, ...numbers(row).map(String), row.waitsFor.join(", ")]),
    [
      `${rows.length} scenarios`,
      ...[0, 1, 2, 3].map((column) => String(total((row) => numbers(row)[column] ?? 0))),
      "",
    ],
  ];
  const width = Math.max(...cells.map(([name = ""]) => name.length));
  return cells.map(([name = "", ...rest]) =>
    `${name.padEnd(width)}${
      rest.map((cell, column) => column < 4 ? cell.padStart(9) : `  ${cell}`).join("")
    }`.trimEnd()
  ).join("\n");
}
