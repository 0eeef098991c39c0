import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describeInput } from "../../src/schema/convert_schema.ts";
import { isRawJsonSchema, jsonSchema } from "../../src/schema/json_schema.ts";
import type { JsonSchema } from "../../src/schema/convert_schema.ts";

function issuesOf(schema: JsonSchema, value: unknown): unknown {
  const result = jsonSchema(schema)["~standard"].validate(value);
  return "issues" in result
    ? result.issues?.map(({ path, message }) => `${path?.join(".") ?? ""}: ${message}`)
    : undefined;
}

const SHEET: readonly {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly issues: readonly string[] | undefined;
}[] = [
  { schema: { type: "string" }, value: "a", issues: undefined },
  { schema: { type: "string" }, value: 1, issues: [": Expected a string."] },
  { schema: { type: ["integer", "null"] }, value: "x", issues: [": Expected an integer or null."] },
  { schema: { enum: ["a", 1] }, value: "b", issues: [': Expected one of ["a",1].'] },
  { schema: { const: "a" }, value: "b", issues: [': Expected "a".'] },
  { schema: { minimum: 10 }, value: 5, issues: [": Must be at least 10."] },
  { schema: { exclusiveMaximum: -1.5 }, value: 5, issues: [": Must be less than -1.5."] },
  { schema: { multipleOf: 3 }, value: 5, issues: [": Must be a multiple of 3."] },
  { schema: { minLength: 5 }, value: "abc", issues: [": Must have at least 5 characters."] },
  { schema: { maxItems: 1 }, value: [1, 2], issues: [": Must have at most 1 items."] },
  { schema: { maxProperties: 0 }, value: { a: 1 }, issues: [": Must have at most 0 properties."] },
  { schema: { pattern: "^a$" }, value: "b", issues: [": String does not match pattern."] },
  { schema: { format: "date" }, value: "x", issues: [': String does not match format "date".'] },
  {
    schema: {
      properties: { a: { type: "string" }, "b/c": { items: { minimum: 1 } } },
      required: ["a", "d"],
      additionalProperties: false,
    },
    value: { a: 1, "b/c": [1, 0], e: 1 },
    issues: [
      "d: This field is required.",
      "a: Expected a string.",
      "b/c.1: Must be at least 1.",
      "e: Unknown argument.",
    ],
  },
  {
    schema: {
      anyOf: [{ type: "string" }, { properties: { a: { type: "null" } }, type: "object" }],
    },
    value: { a: 1 },
    issues: [": Expected a string.", "a: Expected null."],
  },
  {
    schema: { oneOf: [{ type: "integer" }, { minimum: 1 }, { type: "string" }] },
    value: 5,
    issues: [": Must match exactly one of the alternatives."],
  },
  { schema: { not: { type: "string" } }, value: "a", issues: [': Instance matched "not" schema.'] },
  {
    schema: { if: { type: "string" }, then: { minLength: 2 } },
    value: "a",
    issues: [": Must have at least 2 characters."],
  },
  {
    schema: { contains: { type: "string" } },
    value: [1, 2],
    issues: [": Array does not contain item matching schema."],
  },
  {
    schema: { propertyNames: { maxLength: 1 } },
    value: { ab: 1 },
    issues: [': Property name "ab" does not match schema.'],
  },
  {
    schema: { prefixItems: [{ type: "string" }], items: false },
    value: ["a", 1],
    issues: ["1: Unknown argument."],
  },
  {
    schema: {
      $ref: "#/$defs/node",
      $defs: { node: { properties: { v: { type: "integer" }, next: { $ref: "#/$defs/node" } } } },
    },
    value: { v: 1, next: { v: 2, next: { v: "x" } } },
    issues: ["next.next.v: Expected an integer."],
  },
  {
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { pair: { items: [{ type: "string" }], additionalItems: false } },
      properties: { pair: { $ref: "#/definitions/pair" } },
    },
    value: { pair: ["a", 1] },
    issues: ["pair.1: Unknown argument."],
  },
  // B13
  {
    schema: { properties: { a: { pattern: "^(a+)+$" } } },
    value: { a: `${"a".repeat(65_536)}!` },
    issues: ["a: String is too long to check."],
  },
  {
    schema: { properties: { a: { type: "string" } } },
    value: { a: "a".repeat(70_000) },
    issues: undefined,
  },
  {
    schema: { uniqueItems: true },
    value: Array.from({ length: 1001 }, (_, index) => index),
    issues: [": Array is too long to check."],
  },
  {
    schema: { items: { type: "integer" } },
    value: Array.from({ length: 300_000 }, () => "x"),
    issues: ["0: Expected an integer."],
  },
  {
    schema: { additionalProperties: false },
    value: { "\ud800": 1 },
    issues: [": Value cannot be checked."],
  },
  // B71: in the form that it travels in
  {
    schema: { properties: { at: { type: "string", format: "date-time" } } },
    value: { at: new Date(0) },
    issues: undefined,
  },
  { schema: { required: ["a"] }, value: { a: undefined }, issues: ["a: This field is required."] },
  { schema: {}, value: undefined, issues: [": Expected a value."] },
];

for (const { schema, value, issues } of SHEET) {
  const title = issues?.join(" ") ?? "fine";
  Deno.test(`jsonSchema() of ${JSON.stringify(schema)} says ${title}`, () => {
    assertEquals(issuesOf(schema, value), issues);
  });
}

Deno.test("jsonSchema() does not overflow the stack on deep or cyclic data", () => {
  const schema = { $ref: "#/$defs/n", $defs: { n: { properties: { n: { $ref: "#/$defs/n" } } } } };
  let deep: unknown = {};
  for (let depth = 0; depth < 50_000; depth++) deep = { n: deep };
  assertEquals(issuesOf(schema, deep), [": Value cannot be checked."]);
  const cyclic: { n?: unknown } = {};
  cyclic.n = cyclic;
  assertEquals(issuesOf(schema, cyclic), [": Value cannot be checked."]);
});

// B69
const WRONG: readonly { readonly schema: JsonSchema; readonly message: string }[] = [
  { schema: { $schema: "urn:x" }, message: 'dialect "urn:x" is neither 2020-12 nor draft-07' },
  {
    schema: { properties: { a: { $ref: "https://example.test/s.json" } } },
    message: 'at properties.a: $ref "https://example.test/s.json" leads out of the document',
  },
  { schema: { $ref: "#/$defs/none" }, message: '$ref "#/$defs/none" leads out of the document' },
  { schema: { $dynamicRef: "#node" }, message: "$dynamicRef is not supported" },
  { schema: { items: { type: "int" } }, message: 'at items: type "int" is unknown' },
  { schema: { pattern: "(" }, message: 'pattern "(" is wrong' },
  { schema: { patternProperties: { "(": {} } }, message: 'pattern "(" is wrong' },
  {
    schema: { properties: { a: { $schema: "http://json-schema.org/draft-07/schema#" } } },
    message: "at properties.a: a subschema has another dialect",
  },
  {
    schema: JSON.parse('{"properties":{"__proto__":{}}}'),
    message: 'at properties: "__proto__" is no name',
  },
];

for (const { schema, message } of WRONG) {
  Deno.test(`jsonSchema() refuses: ${message}`, () => {
    const error = assertThrows(() => jsonSchema(schema), Error, "Cannot read JSON Schema") as Error;
    assertEquals(error.name, "ConfigurationError");
    assertStringIncludes(error.message, message);
  });
}

Deno.test("jsonSchema() is a frozen copy, listed verbatim", () => {
  const source = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { a: { type: "string", examples: ["x"] } },
    dependentRequired: { a: ["b"] },
  };
  const schema = jsonSchema(source);
  source.properties.a.type = "number";
  assertEquals(isRawJsonSchema(schema), true);
  assertEquals(
    JSON.stringify(describeInput(schema, "input")),
    '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",' +
      '"properties":{"a":{"type":"string","examples":["x"]}},"dependentRequired":{"a":["b"]}}',
  );
  assertThrows(() => Object.assign(describeInput(schema, "input").properties as object, { b: {} }));
});
