import { callOf } from "./call_of.ts";
import type { Case } from "./cases.ts";
import { floorHandler } from "./floor.ts";
import type { Lane } from "./lane.ts";
import type { Pair } from "./measure_pair.ts";
import { readAnswer } from "./read_answer.ts";
import { requestBuilder } from "./request_builder.ts";
import { verifyAnswer } from "./verify_answer.ts";

/**
 * Verifies a lane's answer once and puts the bare handler of the same bytes beside it.
 *
 * @param workload The case.
 * @param lane The lane, open for this case.
 * @returns A call of the lane and a call of its floor.
 * @throws {Error} when the answer is not the one the case asks for.
 */
export async function openPair(
  workload: Case,
  lane: Lane,
): Promise<Pair> {
  const build = requestBuilder(workload, lane);
  const answer = await readAnswer(await lane.fetch(build(1_000_000)));
  verifyAnswer(workload, 1_000_000, answer);
  const handler = floorHandler(workload, answer);
  const bare = await readAnswer(await handler(build(1_000_000)));
  if (JSON.stringify(bare).length !== JSON.stringify(answer).length) {
    throw new Error("Cannot compare with the floor: it answers more or fewer bytes");
  }
  return { measured: callOf(lane.fetch, build), floor: callOf(handler, build) };
}
