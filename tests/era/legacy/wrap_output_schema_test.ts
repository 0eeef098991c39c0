/** Output schemas of clients whose revision takes objects only (M-15). */
import { assertEquals } from "@std/assert";
import { wrapOutputSchema } from "../../../src/era/legacy/wrap_output_schema.ts";

const object = { type: "object", properties: { a: {} }, required: ["a"] };
const items = { $ref: "#/$defs/a" };
const $defs = { a: { type: "integer" } };

const CASES: readonly (readonly [title: string, schema: object, wrapped: object])[] = [
  ["an object stays", object, object],
  ["a list is wrapped, its definitions stay at the root", { type: "array", items, $defs }, {
    type: "object",
    $defs,
    properties: { result: { type: "array", items } },
    required: ["result"],
    additionalProperties: false,
  }],
  ["what has no type is wrapped", { anyOf: [object] }, {
    type: "object",
    properties: { result: { anyOf: [object] } },
    required: ["result"],
    additionalProperties: false,
  }],
  [
    "of an object or a list, the list is wrapped",
    { type: ["object", "array"], properties: { a: {} }, required: ["a"], items, $defs },
    {
      type: "object",
      $defs,
      properties: { a: {}, result: { type: ["array"], items } },
    },
  ],
];

for (const [title, schema, wrapped] of CASES) {
  Deno.test(`wrapOutputSchema(): ${title} (M-15)`, () => {
    assertEquals(wrapOutputSchema({ ...schema }), wrapped as never);
  });
}
