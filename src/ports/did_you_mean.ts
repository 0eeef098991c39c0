/**
 * Finds the known name that a mistaken one is most likely meant to be, in words that end an error
 * message.
 *
 * @param name What was written.
 * @param known The names there are.
 * @returns `: did you mean "prune"?`, or `""` where none is near: more than a third of the letters
 * differ.
 *
 * @example
 * ```ts
 * import { didYouMean } from "./did_you_mean.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(didYouMean("pageSzie", ["pageSize", "publicUrl"]), ': did you mean "pageSize"?');
 * assertEquals(didYouMean("colour", ["pageSize", "publicUrl"]), "");
 * ```
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  if (name.length > MAX_LENGTH) return "";
  let nearest: string | undefined;
  let least = Math.floor(Math.max(name.length, 3) / 3) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = countEdits(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest === undefined ? "" : `: did you mean ${JSON.stringify(nearest)}?`;
}

const MAX_LENGTH = 64;

/** Letters to add, drop, change or swap with their neighbour, to make one text of another. */
function countEdits(from: string, to: string): number {
  let older: readonly number[] = [];
  let old: readonly number[] = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let edits = Math.min(row[j - 1]! + 1, old[j]! + 1, old[j - 1]! + change);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) edits = Math.min(edits, older[j - 2]! + 1);
      row.push(edits);
    }
    [older, old] = [old, row];
  }
  return old[to.length]!;
}
