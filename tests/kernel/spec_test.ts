import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, param, selectorSpec, serviceSpec, unrestricted } from "@limen/mcp";
import { specFields } from "../../src/kernel/build_spec.ts";

const valid = { permissions: [unrestricted], run: () => 1 };

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
