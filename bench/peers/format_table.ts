/**
 * Lays out rows of text in columns; the first is aligned to the left, the others to the right.
 *
 * @param rows Rows of equally many cells, the head first.
 * @returns The lines of the table.
 */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    }).join("  ");
  return rows.map(line).join("\n");
}
