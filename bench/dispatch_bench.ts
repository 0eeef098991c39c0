/**
 * What a request costs beyond a bare handler that parses it and answers the same bytes:
 * `deno bench -A bench/dispatch_bench.ts`. All answers are verified before they are timed.
 *
 * @module
 */
import { type Case, cases, echoCase, listCase } from "./peers/cases.ts";
import { open } from "./peers/limen.ts";
import { openPair } from "./peers/open_pair.ts";

const workloads: Readonly<Record<string, Case>> = {
  "tools/call": echoCase(1),
  "tools/call of 1000 tools": echoCase(1000),
  "tools/list of 1 tool": listCase(1),
  "tools/list of 100 tools": listCase(100),
  "tools/list of 1000 tools": listCase(1000),
  "60 rows": cases.bulk60,
  "60 rows, schemas": cases["bulk60-schema"],
  "100 progress frames": cases.progress100,
};

for (const [group, workload] of Object.entries(workloads)) {
  const { measured, floor } = await openPair(workload, await open(workload, "limen-modern"));
  Deno.bench(`${group}: floor`, { group, baseline: true }, floor);
  Deno.bench(`${group}: Limen`, { group }, measured);
}
