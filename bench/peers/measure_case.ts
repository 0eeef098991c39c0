import type { Case } from "./cases.ts";
import type { Lane } from "./lane.ts";
import { type Measurement, measurePair } from "./measure_pair.ts";
import { openPair } from "./open_pair.ts";

/**
 * Verifies a lane's answer once, then measures it in turn with its floor.
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
  return await measurePair(await openPair(workload, lane), budgetMs);
}
