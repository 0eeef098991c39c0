import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  jsonSchema,
  param,
  selectorSpec,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";
import { specFields } from "../../src/kernel/spec_fields.ts";

const valid = { permissions: [unrestricted], run: () => 1 };
const reads = { id: param.integer() };
const many = { ...valid, many: true, input: jsonSchema({ type: "object" }) };
const list = selectorSpec({ kind: "list", select: () => [] });
const one = selectorSpec({ kind: "retrieve", reads, select: () => 1 });
const checked = selectorSpec({ kind: "retrieve", preconditions: [() => {}], select: () => 1 });

const REFUSED: readonly (readonly [title: string, options: object, message: RegExp])[] = [
  [
    "an unknown field",
    { ...valid, colour: 1 },
    /^Cannot build a service spec: colour is not a field/,
  ],
  ["a selector's field", { ...valid, select: () => 1 }, /: select is not a field of a spec$/],
  ["no callable", { permissions: [unrestricted] }, /: run must be a function$/],
  ["words that are no function", { ...valid, text: "a" }, /: text must be a function$/],
  ["null permissions", { ...valid, permissions: null }, /: permissions must list at least one/], // K-57
  ["empty permissions", { ...valid, permissions: [] }, /: permissions must list at least one/],
  ["a class as check", { ...valid, permissions: [class {}] }, /: permissions must hold objects/],
  ["null as check", { ...valid, permissions: [null] }, /: permissions must hold objects/],
  ["an input that is no schema", { ...valid, input: {} }, /: input must be a Standard Schema/],
  ["an output that is no schema", { ...valid, output: null }, /: output must be a Standard Schema/],
  // K-3, K-6: every field
  ["reads that are a list", { ...valid, reads: [] }, /: reads must hold parameters by name/],
  [
    "reads that are no parameters",
    { ...valid, reads: { id: "integer" } },
    /: reads must hold param/,
  ],
  ["shapes that are no parameters", { ...valid, shapes: { id: null } }, /: shapes must hold param/],
  ["a presenter that is no function", { ...valid, present: {} }, /: present must be a function$/],
  [
    "a provider that is none",
    { ...valid, provide: {} },
    /: provide must be a provider\(\) or a fun/,
  ],
  [
    "input data that is none",
    { ...valid, inputData: 5 },
    /: inputData must be a provider\(\) or a/,
  ],
  ["a re-read that is no function", { ...valid, reread: {} }, /: reread must be a function$/],
  ["what is asked, as no function", { ...valid, prepare: 1 }, /: prepare must be a function$/],
  [
    "preconditions that are no list",
    { ...valid, preconditions: () => {} },
    /: preconditions must be/,
  ],
  [
    "preconditions that are no functions",
    { ...valid, preconditions: [1] },
    /: preconditions must be/,
  ],
  ["many that is a number", { ...valid, many: 1 }, /: many must be true or false$/],
  ["atomic that is null", { ...valid, atomic: null }, /: atomic must be true or false$/],
  [
    "idempotent that is a text",
    { ...valid, idempotent: "yes" },
    /: idempotent must be true or fal/,
  ],
  ["allowNone that is a text", { ...valid, allowNone: "no" }, /: allowNone must be true or false$/],
  [
    "an action that there is not",
    { ...valid, action: "replace" },
    /: action must be one of create, u/,
  ],
  [
    "a list of nothing at most",
    { ...valid, maxItems: 0 },
    /: maxItems must be an integer of at lea/,
  ],
  [
    "a list with half an item",
    { ...valid, maxItems: 1.5 },
    /: maxItems must be an integer of at lea/,
  ],
  ["a list without a name", { ...valid, manyArgument: "" }, /: manyArgument must be a name$/],
  [
    "an instance that is a list",
    { ...valid, instance: list },
    /: instance must be a retrieve spec$/,
  ],
  [
    "an instance that is no spec",
    { ...valid, instance: {} },
    /: instance must be a retrieve spec$/,
  ],
  [
    "a collection that is one row",
    { ...valid, collection: one },
    /: collection must be a list spec$/,
  ],
  [
    "two targets",
    { ...valid, instance: one, collection: list },
    /: collection cannot stand beside in/,
  ],
  [
    "preconditions of a look-up",
    { ...valid, instance: checked },
    /: instance declares preconditions/,
  ], // K-7
  ["many without input", { ...valid, many: true }, /: input is missing: a many spec says what one/],
  ["many with reads", { ...many, reads }, /: reads cannot stand in a many spec/], // K-24
  ["many with shapes", { ...many, shapes: reads }, /: shapes cannot stand in a many spec/],
  [
    "many whose look-up takes reads",
    { ...many, instance: one },
    /: instance takes reads, and the one/,
  ],
];

for (const [title, options, message] of REFUSED) {
  Deno.test(`serviceSpec() refuses ${title}`, () => {
    const error = assertThrows(() => serviceSpec(options as never), ConfigurationError);
    assertMatch(error.message, message);
  });
}

Deno.test("selectorSpec() refuses a service's callable, naming its own kind", () => {
  const options = { kind: "list", permissions: [unrestricted], run: () => [] };
  const error = assertThrows(() => selectorSpec(options as never), ConfigurationError);
  assertEquals(error.message, "Cannot build a list spec: run is not a field of a spec");
});

const reading = { kind: "retrieve", select: () => 1 };

// K-8
for (
  const [options, message] of [
    [{ ...reading, filters: {} }, "Cannot build a retrieve spec: filters is for a list"],
    [{ ...reading, extend: () => [] }, "Cannot build a retrieve spec: extend is for a list"],
    [
      { ...reading, kind: "list", extend: 5 },
      "Cannot build a list spec: extend must be a function",
    ],
    [{ ...reading, atomic: true }, "Cannot build a retrieve spec: atomic is not a field of a spec"],
    [
      { ...reading, kind: "list", filters: { a: 1 } },
      "Cannot build a list spec: filters must hold parameters by name, made by param",
    ],
    [{ kind: "list" }, "Cannot build a list spec: select must be a function"],
  ] as const
) {
  Deno.test(`selectorSpec(): ${message} (K-3, K-8)`, () => {
    const error = assertThrows(() => selectorSpec(options as never), ConfigurationError);
    assertEquals(error.message, message);
  });
}

Deno.test("selectorSpec() refuses a kind that is neither list nor retrieve", () => {
  const options = { kind: "service", permissions: [unrestricted], select: () => [] };
  const error = assertThrows(() => selectorSpec(options as never), ConfigurationError);
  assertMatch(error.message, /kind must be "list" or "retrieve"/);
});

Deno.test("serviceSpec() answers a frozen plain object that says what was declared", () => {
  const permissions = [unrestricted];
  const reads = { id: param.integer({ required: true }) };
  const spec = serviceSpec({ permissions, reads, idempotent: true, run: () => 1 });
  assert(Object.isFrozen(spec));
  assertEquals(Object.keys(spec).sort(), ["idempotent", "kind", "permissions", "reads", "run"]);
  permissions.length = 0; // what was checked stays what is asked
  assertEquals(specFields(spec, "tool").permissions, [unrestricted]);
});

Deno.test("specFields() refuses what serviceSpec() and selectorSpec() did not make", () => {
  const copy = { ...serviceSpec({ permissions: [unrestricted], run: () => 1 }) };
  for (const value of [copy, {}, null, undefined, "spec"]) {
    const error = assertThrows(() => specFields(value, 'tool "a"'), ConfigurationError);
    assertMatch(error.message, /^Cannot register tool "a": expected a spec made by/);
  }
});
