import { assertEquals } from "@std/assert";
import { type Check, judgeLeg } from "../../../tools/conformance/judge_leg.ts";

function check(id: string, status: Check["status"], errorMessage?: string): Check {
  return { id, status, ...(errorMessage === undefined ? {} : { errorMessage }) };
}

const RESULTS: ReadonlyMap<string, readonly Check[]> = new Map([
  ["tools", [check("a", "SUCCESS"), check("b", "SUCCESS"), check("c", "INFO")]],
  ["prompts", [check("a", "SUCCESS"), check("b", "FAILURE", "No such method")]],
  ["caching", [check("a", "FAILURE"), check("a", "FAILURE"), check("b", "WARNING")]],
  ["skipped", [check("a", "SKIPPED")]],
]);

const CASES: readonly {
  readonly title: string;
  readonly baseline: Readonly<Record<string, readonly string[]>>;
  readonly problems: readonly string[];
}[] = [
  {
    title: "accepts what the baseline excuses, by scenario and by check",
    baseline: { prompts: ["prompts", "caching:a"], resources: ["caching:b"] },
    problems: [],
  },
  {
    title: "refuses a failure and a warning that nothing excuses",
    baseline: { prompts: ["caching:a"] },
    problems: [
      "FAILURE prompts:b: No such method",
      "WARNING caching:b: no message",
    ],
  },
  {
    title: "refuses an entry that does not fail, whole or one check",
    baseline: { tools: ["tools", "skipped:a"], prompts: ["prompts", "prompts:b", "caching"] },
    problems: [
      "Stale entry of tools: tools does not fail, so take it out of the baseline",
      "Stale entry of tools: skipped:a does not fail, so take it out of the baseline",
      "Stale entry of prompts: prompts:b does not fail, so take it out of the baseline",
    ],
  },
  {
    title: "refuses an entry for a scenario that was not run",
    baseline: { prompts: ["prompts", "caching", "promts"] },
    problems: ["Unknown entry of prompts: this leg runs no scenario promts"],
  },
];

for (const { title, baseline, problems } of CASES) {
  Deno.test(`judgeLeg() ${title}`, () => {
    assertEquals(judgeLeg(RESULTS, baseline).problems, problems);
  });
}

Deno.test("judgeLeg() counts a scenario and names what it waits for", () => {
  const { rows } = judgeLeg(RESULTS, { prompts: ["caching:a"], resources: ["caching:b"] });
  assertEquals(rows, [
    { scenario: "tools", passed: 2, failed: 0, warned: 0, skipped: 0, waitsFor: [] },
    { scenario: "prompts", passed: 1, failed: 1, warned: 0, skipped: 0, waitsFor: [] },
    {
      scenario: "caching",
      passed: 0,
      failed: 2,
      warned: 1,
      skipped: 0,
      waitsFor: ["prompts", "resources"],
    },
    { scenario: "skipped", passed: 0, failed: 0, warned: 0, skipped: 1, waitsFor: [] },
  ]);
});
