/** Schemas to which the value and its short answers conform. */
import { assertEquals } from "@std/assert";
import { widenOutputSchema } from "../../src/present/widen_output_schema.ts";

const row = {
  type: "object",
  properties: { id: { type: "integer" }, note: { type: "string", title: "Note" } },
  required: ["id", "note"],
  additionalProperties: false,
};
const status = { status_code: { type: "integer" } };
const lean = { properties: status, always: ["id", "name"], isPartial: false };
const partial = { ...lean, isPartial: true };

const CASES: readonly (readonly [title: string, widened: object, expected: object])[] = [
  ["an object with the fields of both", widenOutputSchema(row, lean), {
    type: "object",
    properties: { ...row.properties, ...status },
    required: ["id"],
    additionalProperties: false,
  }],
  ["names alone where parts are answered", widenOutputSchema(row, partial), {
    type: "object",
    properties: { id: {}, note: { title: "Note" }, ...status },
  }],
  [
    "a field that both have is either",
    widenOutputSchema({ ...row, properties: { status_code: { type: "string" } } }, lean),
    {
      type: "object",
      properties: { status_code: { anyOf: [{ type: "string" }, { type: "integer" }] } },
      required: ["id"],
      additionalProperties: false,
    },
  ],
  [
    "rules over the whole object are left out, and with them what closes it",
    widenOutputSchema({ ...row, anyOf: [{ required: ["id"] }], minProperties: 2 }, lean),
    { type: "object", properties: { ...row.properties, ...status }, required: ["id"] },
  ],
  [
    "a list, or an object",
    widenOutputSchema({ type: "array", items: row, minItems: 1, $defs: { a: {} } }, lean),
    { type: ["object", "array"], properties: status, items: row, $defs: { a: {} } },
  ],
  ["a list of parts", widenOutputSchema({ type: "array", items: row }, partial), {
    type: ["object", "array"],
    properties: status,
  }],
  ["a text, or an object", widenOutputSchema({ type: "string", enum: ["a"] }, lean), {
    type: ["object", "string"],
    properties: status,
  }],
  [
    "an object or null",
    widenOutputSchema({ type: ["object", "null"], properties: { a: {} } }, lean),
    {
      type: ["object", "null"],
      properties: { a: {}, ...status },
    },
  ],
  ["anything", widenOutputSchema({ anyOf: [{ type: "string" }] }, lean), {
    type: ["object", "array", "string", "number", "boolean", "null"],
    properties: status,
  }],
];

for (const [title, widened, expected] of CASES) {
  Deno.test(`widenOutputSchema() describes ${title} (X-1)`, () => assertEquals(widened, expected));
}
