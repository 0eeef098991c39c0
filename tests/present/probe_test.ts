/** What stands in the place of a large result (HV-2). */
import { assert, assertEquals } from "@std/assert";
import { writeProbe } from "../../src/present/probe.ts";

function probe(value: unknown): Record<string, unknown> {
  return JSON.parse(writeProbe({ value, dataSize: 1234, token: "tok", slot: "read_on" }));
}

Deno.test("writeProbe() says how large a result is, and how to read it (HV-2)", () => {
  const { preview, usage, ...rest } = probe([1]);
  assertEquals(rest, {
    total_size: 1234,
    available_modes: ["summary", "paginated", "filtered", "full"],
    continuation_token: "tok",
  });
  assertEquals(preview, "[1]");
  assertEquals(
    usage,
    "Call read_on with continuation_token at the top level of its arguments, beside mode: " +
      "without a mode the first page is read",
  );
});

class Entity {
  readonly secret = "swordfish";

  toJSON(): object {
    return { shown: 1 };
  }
}

const PREVIEWS: readonly (readonly [title: string, value: unknown, preview: string])[] = [
  ["three items of a list", [1, 2, 3, 4], "[1,2,3]"],
  [
    "five fields of an object",
    { a: 1, b: "x", c: null, d: true, e: [1], f: 6 },
    '{"a":1,"b":"x","c":null,"d":true,"e":[1]}',
  ],
  ["80 characters of a field", { a: "x".repeat(81), b: 1 }, `{"a":"${"x".repeat(80)}","b":1}`],
  [
    "80 characters of a nested field",
    { a: { b: "x".repeat(90) } },
    `{"a":"{\\"b\\":\\"${"x".repeat(74)}"}`,
  ],
  ["a text", "text", '"text"'],
  ["what an entity writes", new Entity(), '{"shown":1}'],
];

for (const [title, value, preview] of PREVIEWS) {
  Deno.test(`writeProbe() previews ${title} (HV-2)`, () => {
    assertEquals(probe(value).preview, preview);
  });
}

Deno.test("writeProbe() previews at most 200 characters, and no half of one (HV-2)", () => {
  const { preview } = probe(`${"x".repeat(198)}😀😀`);
  assertEquals(preview, `"${"x".repeat(198)}`);
  assert(String(probe("é".repeat(900)).preview).length === 200);
});
