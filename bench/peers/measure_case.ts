import type { Case } from "./cases.ts";
import { floorHandler } from "./floor.ts";
import type { Lane } from "./lane.ts";
import { median } from "./median.ts";
import { readAnswer } from "./read_answer.ts";
import { requestBuilder } from "./request_builder.ts";
import { verifyAnswer } from "./verify_answer.ts";

/** What one case of one lane costs. */
export interface Measurement {
  /** Microseconds a call. */
  readonly us: number;
  /** The same as a multiple of the floor, measured in turn with it. */
  readonly xFloor: number;
}

type Batch = (calls: number) => Promise<number>;

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
  const [measured, floor] = await openBatches(workload, lane);
  const warmUp = performance.now() + budgetMs / 3;
  let [calls, floorCalls] = [1, 1];
  do {
    calls = batchSize(await measured(calls));
    floorCalls = batchSize(await floor(floorCalls));
  } while (performance.now() < warmUp);

  const end = performance.now() + budgetMs;
  const costs: number[] = [];
  const ratios: number[] = [];
  while (performance.now() < end || costs.length < leastPairs) {
    const isEven = costs.length % 2 === 0;
    const before = isEven ? 0 : await floor(floorCalls);
    const cost = await measured(calls);
    costs.push(cost * 1000);
    ratios.push(cost / (isEven ? await floor(floorCalls) : before));
  }
  return { us: median(costs), xFloor: median(ratios) };
}

async function openBatches(workload: Case, lane: Lane): Promise<readonly [Batch, Batch]> {
  const build = requestBuilder(workload, lane);
  const answer = await readAnswer(await lane.fetch(build(1_000_000)));
  verifyAnswer(workload, 1_000_000, answer);
  const floor = floorHandler(workload, answer);
  verifyAnswer(workload, 1_000_001, await readAnswer(await floor(build(1_000_001))));
  return [batchOf(lane.fetch, build), batchOf(floor, build)];
}

function batchOf(handler: Lane["fetch"], build: (id: number) => Request): Batch {
  let id = 1_000_002;
  return async (calls) => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) {
      const response = await handler(build(id++));
      await response.arrayBuffer(); // as bytes: text() hands a string body through for nothing
    }
    return (performance.now() - start) / calls;
  };
}

function batchSize(callMs: number): number {
  return Math.max(1, Math.round(batchMs / callMs));
}
