/**
 * Finds import cycles: for each file that can reach itself, the shortest way round, told once.
 *
 * @param imports The files that each file imports.
 * @returns One list of files per cycle, starting at its first file in alphabetical order.
 */
export function findCycles(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const told = new Set<string>();
  for (const start of [...imports.keys()].sort()) {
    if (told.has(start)) continue;
    const cycle = shortestWayRound(start, imports);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const file of cycle) told.add(file);
  }
  return cycles;
}

function shortestWayRound(
  start: string,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of imports.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(file: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [file];
  for (let step = cameFrom.get(file); step !== undefined; step = cameFrom.get(step)) {
    way.unshift(step);
  }
  return way;
}
