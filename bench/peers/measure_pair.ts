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
 * @param clockMs The clock. Default: the time on the wall.
 * @returns The medians over the pairs of batches.
 */
export async function measurePair(
  { measured, floor }: Pair,
  budgetMs: number,
  clockMs: () => number = () => performance.now(),
): Promise<Measurement> {
  const callMs = async (call: Call, calls: number): Promise<number> => {
    const start = clockMs();
    for (let i = 0; i < calls; i++) await call();
    return (clockMs() - start) / calls;
  };
  const warmUp = clockMs() + budgetMs / 3;
  let [calls, floorCalls] = [1, 1];
  do {
    calls = batchSize(await callMs(measured, calls));
    floorCalls = batchSize(await callMs(floor, floorCalls));
  } while (clockMs() < warmUp);

  const end = clockMs() + budgetMs;
  const costs: number[] = [];
  const ratios: number[] = [];
  while (clockMs() < end || costs.length < leastPairs) {
    const isFloorFirst = costs.length % 2 === 1;
    const before = isFloorFirst ? await callMs(floor, floorCalls) : 0;
    const cost = await callMs(measured, calls);
    costs.push(cost * 1000);
    ratios.push(cost / (isFloorFirst ? before : await callMs(floor, floorCalls)));
  }
  return { us: median(costs), xFloor: median(ratios) };
}

function batchSize(msPerCall: number): number {
  return Math.max(1, Math.round(batchMs / msPerCall));
}
