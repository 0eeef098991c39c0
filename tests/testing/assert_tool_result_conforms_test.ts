import { assertEquals, assertThrows } from "@std/assert";
import { ConfigurationError } from "@limen/mcp";
import { assertToolResultConforms, ConformanceError } from "@limen/mcp/testing";

// TH-1

const ROW = {
  type: "object",
  properties: {
    amount_cents: { type: "integer" },
    due: { type: "string", format: "date" },
    email: { type: "string", format: "email" },
    status: { enum: ["open", "paid"] },
    note: { type: ["string", "null"], maxLength: 5 },
    tags: { type: "array", items: { type: "string" }, minItems: 1 },
    "a key": { const: 1 },
    any: { anyOf: [{ type: "string" }, { $ref: "#/$defs/small" }] },
    one: { oneOf: [{ type: "integer" }, { type: "number" }] },
    not: { not: { type: "string" } },
    deep: { $ref: "#/$defs/small" },
  },
  required: ["amount_cents"],
  additionalProperties: false,
} as const;
const LIST = { type: "array", items: ROW, $defs: { small: { type: "number", maximum: 9 } } };
const tool = (outputSchema?: object) => ({ name: "t", outputSchema });
const rows = (...structuredContent: readonly object[]) => ({ structuredContent });
const LONG = "x".repeat(121);

const MISMATCHES: readonly (readonly [value: object, lines: readonly string[]])[] = [
  [{ amount_cents: "1240.00" }, [
    "$[0].amount_cents: advertised type 'integer', got string '1240.00'",
  ]],
  [{}, ["$[0].amount_cents: advertised as required, got nothing"]],
  [{ amount_cents: 1.5 }, ["$[0].amount_cents: advertised type 'integer', got number 1.5"]],
  [{ amount_cents: null }, ["$[0].amount_cents: advertised type 'integer', got null"]],
  [{ amount_cents: true }, ["$[0].amount_cents: advertised type 'integer', got boolean true"]],
  [{ amount_cents: { a: [1] } }, [
    `$[0].amount_cents: advertised type 'integer', got object {"a":[1]}`,
  ]],
  [{ amount_cents: 1, due: "2026-02-29" }, [
    "$[0].due: advertised format 'date', got string '2026-02-29'",
  ]],
  [{ amount_cents: 1, email: "ada" }, ["$[0].email: advertised format 'email', got string 'ada'"]],
  [{ amount_cents: 1, status: "late" }, [
    `$[0].status: advertised enum ["open","paid"], got string 'late'`,
  ]],
  [{ amount_cents: 1, note: "x\n'\"xxx" }, [
    `$[0].note: advertised maxLength 5, got string 'x\\n'"xxx'`,
  ]],
  [{ amount_cents: 1, note: 7 }, ["$[0].note: advertised type 'string' or 'null', got number 7"]],
  [{ amount_cents: 1, tags: [] }, ["$[0].tags: advertised minItems 1, got array []"]],
  [{ amount_cents: 1, tags: ["a", 2] }, [
    "$[0].tags[1]: advertised type 'string', got number 2",
  ]],
  [{ amount_cents: 1, "a key": 2 }, [`$[0]["a key"]: advertised const 1, got number 2`]],
  [{ amount_cents: 1, "a/b~c %": 2 }, [`$[0]["a/b~c %"]: not advertised, got number 2`]],
  [{ amount_cents: 1, any: 10 }, [
    "$[0].any: advertised maximum 9, got number 10",
    "$[0].any: advertised type 'string', got number 10",
  ]],
  [{ amount_cents: 1, one: 1 }, ["$[0].one: advertised oneOf, got number 1"]],
  [{ amount_cents: 1, not: "s" }, ["$[0].not: advertised not, got string 's'"]],
  [{ amount_cents: 1, deep: 10 }, ["$[0].deep: advertised maximum 9, got number 10"]],
  [{ amount_cents: LONG }, [
    `$[0].amount_cents: advertised type 'integer', got string '${"x".repeat(120)}…'`,
  ]],
  [{ amount_cents: [LONG] }, [
    `$[0].amount_cents: advertised type 'integer', got array ["${"x".repeat(118)}…`,
  ]],
];

for (const [value, lines] of MISMATCHES) {
  Deno.test(`assertToolResultConforms() fails with ${lines[0]!.slice(0, 80)}`, () => {
    const error = assertThrows(
      () => assertToolResultConforms(tool(LIST), rows(value)),
      ConformanceError,
    );
    assertEquals(error.mismatches, lines);
  });
}

Deno.test("assertToolResultConforms() lists every mismatch, sorted by path and number", () => {
  const bad = Array.from({ length: 300 }, () => ({ amount_cents: "1", due: "x" }));
  const error = assertThrows(
    () => assertToolResultConforms(tool(LIST), rows(...bad)),
    ConformanceError,
  );
  const [head, ...lines] = error.message.split("\n");
  assertEquals(head, 'Result of tool "t" does not conform: 600 mismatches');
  assertEquals(lines, error.mismatches);
  assertEquals(lines.length, 600);
  const starts = lines.map((line) => line.slice(0, line.indexOf(":")));
  assertEquals(starts.slice(0, 3), ["$[0].amount_cents", "$[0].due", "$[1].amount_cents"]);
  assertEquals(starts.at(-1), "$[299].due");
});

Deno.test("assertToolResultConforms() accepts what conforms, and data that only serialises", () => {
  assertToolResultConforms(tool(LIST), rows());
  assertToolResultConforms(tool(LIST), rows({ amount_cents: 1, due: "2028-02-29", note: null }));
  assertToolResultConforms(tool(LIST), rows({ amount_cents: 1, due: undefined }));
});

const FAILURES: readonly (readonly [title: string, schema: object | undefined, object, string])[] =
  [
    [
      "no schema is advertised",
      undefined,
      { structuredContent: {} },
      'Result of tool "t" does not conform: the tool advertises no outputSchema',
    ],
    [
      "there is a schema and no structuredContent",
      LIST,
      { content: [] },
      'Result of tool "t" does not conform: it has no structuredContent',
    ],
    [
      "the call was an error",
      LIST,
      { isError: true, content: [{ type: "text", text: "No such row." }] },
      'Result of tool "t" does not conform: it has no structuredContent; ' +
      "the call was an error: No such row.",
    ],
    [
      "the call was an error without a word",
      LIST,
      { isError: true, structuredContent: 1 },
      'Result of tool "t" does not conform: 1 mismatch; the call was an error\n' +
      "$: advertised type 'array', got number 1",
    ],
  ];

for (const [title, schema, result, message] of FAILURES) {
  Deno.test(`assertToolResultConforms() fails when ${title}`, () => {
    const error = assertThrows(
      () => assertToolResultConforms(tool(schema), result),
      ConformanceError,
    );
    assertEquals(error.message, message);
  });
}

Deno.test("assertToolResultConforms() names a schema that cannot be checked", () => {
  const remote = { $ref: "https://example.test/row.json" };
  assertThrows(
    () => assertToolResultConforms(tool(remote), { structuredContent: 1 }),
    ConfigurationError,
    "leads out of the document",
  );
});
