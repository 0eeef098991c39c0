import { judge, readLcov } from "../../tools/check_coverage.ts";
import { assertEquals } from "@std/assert";

const LCOV = `SF:/repo/src/kernel/a.ts
DA:1,2
BRDA:1,0,0,1
BRF:10
BRH:9
LH:95
LF:100
end_of_record
SF:/repo/tests/b.ts
BRF:0
BRH:0
LH:0
LF:100
end_of_record
`;

Deno.test("readLcov() counts lines and branches by path", () => {
  const files = readLcov(LCOV, "/repo");
  assertEquals([...files.keys()], ["src/kernel/a.ts", "tests/b.ts"]);
  assertEquals(files.get("src/kernel/a.ts"), {
    linesHit: 95,
    linesFound: 100,
    branchesHit: 9,
    branchesFound: 10,
  });
});

Deno.test("judge() looks at src/ only and takes what meets both thresholds", () => {
  assertEquals(judge(readLcov(LCOV, "/repo"), ["src/kernel/a.ts"]), {
    isEnough: true,
    lines: ["src/: lines 95.0 %, branches 90.0 % (at least 95 and 90)"],
  });
});

Deno.test("judge() refuses too few lines, and too few branches, and names the file", () => {
  for (const low of [LCOV.replace("LH:95", "LH:94"), LCOV.replace("BRH:9", "BRH:8")]) {
    const { isEnough, lines } = judge(readLcov(low, "/repo"), []);
    assertEquals(isEnough, false);
    assertEquals(lines[0]?.split(":")[0], "src/kernel/a.ts");
  }
});

Deno.test("judge() refuses a file that no test loads", () => {
  const { isEnough, lines } = judge(readLcov(LCOV, "/repo"), ["src/kernel/z.ts"]);
  assertEquals(isEnough, false);
  assertEquals(lines[0], "src/kernel/z.ts: no test loads it");
});
