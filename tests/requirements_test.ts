/**
 * Every requirement has a test that names it: its id stands in a title or a comment of a test file.
 *
 * An id that the library settles in its own way, or drops, counts where a test says so. The security
 * rules are named as "security B1", since the wire cases have such ids as well.
 */
import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";

/** The ids that each section of the requirements defines; a range holds both its ends. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "1 kernel": ["K-1…66", "K-71…78", "K-80…86", "K-90…93", "K-95…98"],
  "2 tools": ["T-1…4", "T-10…17", "T-20…22", "T-30…31", "T-40…46", "T-50"],
  "3 presentation": [
    "M-1…3",
    "M-5",
    "M-10…12",
    "M-15…16",
    "M-25…27",
    "M-30",
    "M-40…43",
  ],
  "4 listings": ["L-1…5", "L-10…13"],
  "5 in process": ["N-1…8"],
  "9 HTTP transport": [
    "H-1…4",
    "H-10…17",
    "H-20…28",
    "H-30…34",
    "H-50…53",
    "H-60",
    "H-70…71",
  ],
  "10 errors": ["ERR-1", "ERR-10…11"],
  "11 authorization": ["A-1…9", "A-20…22"],
  "12 rate limits": ["RL-1…5"],
  "13 progress": ["G-1…9"],
  "22 observability": ["O-1…7"],
  "18 lean envelope": ["W-1…4", "W-10…15", "W-20…32", "W-40…46", "W-50"],
  "19 heavy results": ["HV-1…2", "HV-5…6", "HV-10…13", "HV-20…30", "HV-40…41", "HV-50"],
  "20 integration": ["X-1…15"],
  "14 elicitation": ["E-1…15", "E-19…21"],
  "15 tasks": ["J-1…5", "J-10…14", "J-20…25", "J-30…35"],
  "16 subscriptions": ["S-1…8", "S-10…12", "S-20…22"],
  "23 test helpers": ["TH-1…2"],
  "25 type safety": ["TS-1…6"],
  "26 settings": ["SET-1…2"],
  "security rules": ["B1…22"],
};

/** What an id without a test waits for. An entry goes with its test; none is added but with its section. */
const DEFERRED: Readonly<Record<string, string>> = {
  "X-3": "views",
};

function expand(range: string): readonly string[] {
  const [, prefix, first, last = first] = /^([A-Z]+-?)(\d+)(?:…(\d+))?$/.exec(range)!;
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, i) => `${prefix}${Number(first) + i}`);
}

/** The ids that some test file names. */
function readNamed(): ReadonlySet<string> {
  const named = new Set<string>();
  for (const path of testFiles(fileURLToPath(new URL(".", import.meta.url)))) {
    const text = Deno.readTextFileSync(path);
    for (const [id] of text.matchAll(/\b[A-Z]{1,3}-\d+\b/g)) named.add(id);
    for (const [, id] of text.matchAll(/\bsecurity (B\d+)\b/g)) named.add(id!);
  }
  return named;
}

function* testFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (/_(test|snippets)\.ts$/.test(name) && name !== "requirements_test.ts") yield path;
  }
}

const named = readNamed();

for (const [section, ranges] of Object.entries(SECTIONS)) {
  Deno.test(`every requirement of section ${section} is named by a test, or deferred`, () => {
    const missing = ranges.flatMap(expand).filter((id) =>
      !named.has(id) && !Object.hasOwn(DEFERRED, id)
    );
    assertEquals(missing, []);
  });
}

Deno.test("what is deferred is a requirement without a test", () => {
  const known = new Set(Object.values(SECTIONS).flat().flatMap(expand));
  assertEquals(Object.keys(DEFERRED).filter((id) => !known.has(id) || named.has(id)), []);
});

Deno.test("the sections hold every id once", () => {
  const ids = Object.values(SECTIONS).flat().flatMap(expand);
  assertEquals(ids.length, new Set(ids).size);
});

/** The wire cases that are asked over sockets as well, by section. */
const WIRE_CASES: Readonly<Record<string, string>> = {
  "A versions and headers": "B01 B02 B04 B06 B07 B09 B10 B12 B13 B15 B16 B18 B19",
  "B envelope": "B21 B22 B24 B25 B27 B28 B30",
  "C HTTP": "B32 B34 B35 B37 B38 B40",
  "D sessions": "B41 B43 B45",
  "E streams": "B47 B49 B51 B52",
  "F progress and cancellation": "B54 B55 B57 B59",
  "J authorization": "B91 B93 B94 B96",
};

for (const [section, ids] of Object.entries(WIRE_CASES)) {
  Deno.test(`every wire case of section ${section} is asked in tests/wire`, () => {
    const texts = [...testFiles(fileURLToPath(new URL("wire", import.meta.url)))]
      .map((path) => Deno.readTextFileSync(path));
    const missing = ids.split(" ").filter((id) => !texts.some((text) => text.includes(id)));
    assertEquals(missing, []);
  });
}
