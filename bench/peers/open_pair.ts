import type { Case } from "./cases.ts";
import { floorHandler } from "./floor.ts";
import type { Lane } from "./lane.ts";
import { readAnswer } from "./read_answer.ts";
import { requestBuilder } from "./request_builder.ts";
import { verifyAnswer } from "./verify_answer.ts";

/** One call with a new id, its body read to the end. */
export type Call = () => Promise<void>;

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
): Promise<{ readonly measured: Call; readonly floor: Call }> {
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

function callOf(handler: Lane["fetch"], build: (id: number) => Request): Call {
  let id = 1_000_001;
  return async () => {
    const response = await handler(build(id++));
    await response.arrayBuffer(); // as bytes: text() hands a string body through for nothing
  };
}
