import type { Call } from "./call_of.ts";
import { median } from "./median.ts";

/** A call, and what it is held against. */
export interface Pair {
  /** What is measured. */
  readonly measured: Call;
  /** What it is held against. */
  readonly floor: Call;
}

/** What a call costs. */
export interface Measurement {
  /** Microseconds a call. */
  readonly us: number;
  /** The same as a multiple of the floor, measured in turn with it. */
  readonly xFloor: number;
}

const batchMs = 8;
const leastPairs = 5;

/**
 * Measures batches of a call and of its floor in turn, every other pair the other way round.
 *
 * @param pair The two calls.
 * @param budgetMs How long to measure; a third of it goes before as warm-up.
 * @returns The medians over the pairs of batches.
 */
export async function measurePair(
  { measured, floor }: Pair,
  budgetMs: number,
): Promise<Measurement> {
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
