import type { Case } from "./cases.ts";
import type { Lane } from "./lane.ts";
import { median } from "./median.ts";
import { type Call, openPair } from "./open_pair.ts";

/** What one case of one lane costs. */
export interface Measurement {
  /** Microseconds a call. */
  readonly us: number;
  /** The same as a multiple of the floor, measured in turn with it. */
  readonly xFloor: number;
}

const batchMs = 8;
const leastPairs = 5;

/**
 * Verifies a lane's answer once, then measures batches of it and of its floor in turn.
 *
 * @param workload The case.
 * @param lane The lane, open for this case.
 * @param budgetMs How long to measure; a third of it goes before as warm-up.
 * @returns The medians over the pairs of batches.
 * @throws {Error} when the answer is not the one the case asks for.
 */
export async function measureCase(
  workload: Case,
  lane: Lane,
  budgetMs: number,
): Promise<Measurement> {
  const { measured, floor } = await openPair(workload, lane);
  const warmUp = performance.now() + budgetMs / 3;
  let [calls, floorCalls] = [1, 1];
  do {
    calls = batchSize(await callMs(measured, calls));
    floorCalls = batchSize(await callMs(floor, floorCalls));
  } while (performance.now() < warmUp);

  const end = performance.now() + budgetMs;
  const costs: number[] = [];
  const ratios: number[] = [];
  while (performance.now() < end || costs.length < leastPairs) {
    const isFloorFirst = costs.length % 2 === 1;
    const before = isFloorFirst ? await callMs(floor, floorCalls) : 0;
    const cost = await callMs(measured, calls);
    costs.push(cost * 1000);
    ratios.push(cost / (isFloorFirst ? before : await callMs(floor, floorCalls)));
  }
  return { us: median(costs), xFloor: median(ratios) };
}

async function callMs(call: Call, calls: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < calls; i++) await call();
  return (performance.now() - start) / calls;
}

function batchSize(msPerCall: number): number {
  return Math.max(1, Math.round(batchMs / msPerCall));
}
