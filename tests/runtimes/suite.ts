import { asking } from "./asking.ts";
import { calls } from "./calls.ts";
import type { Case, Target } from "./case.ts";
import { listens } from "./listens.ts";
import { legacy } from "./legacy.ts";
import { prototypeKeys } from "./prototype_keys.ts";
import { refusals } from "./refusals.ts";
import { streams } from "./streams.ts";

/** What must hold on every runtime, in process and over a socket. */
export const suite: readonly Case[] = [
  ...legacy, // first: sessions are opened while the server has no keys yet
  ...calls,
  ...asking,
  ...prototypeKeys,
  ...refusals,
  ...streams,
  ...listens,
];

/** What came of a case: a problem, or nothing. */
export interface Verdict {
  readonly title: string;
  readonly problem?: string;
}

/** Runs the suite against one server, a case after the other. */
export async function runSuite(target: Target): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { title, needsRawBody, crossesRequests, run } of suite) {
    if (needsRawBody && target.hasParser) continue;
    if (crossesRequests && target.isolatesRequests) continue;
    const problem = await within(10_000, run(target)).then(() => undefined, String);
    verdicts.push(problem === undefined ? { title } : { title, problem });
  }
  return verdicts;
}

/** A case that hangs must not hang the run. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Took longer than ${ms} ms`)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
