import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { compileParameters } from "../../src/schema/check_arguments.ts";
import { param, type Parameter } from "../../src/schema/param.ts";
import { Problems } from "../../src/schema/problems.ts";

interface CheckOptions {
  readonly unknownArguments?: "reject" | "ignore";
  readonly flat?: boolean;
}

function check(
  parameters: Readonly<Record<string, Parameter>>,
  source: Readonly<Record<string, unknown>>,
  { unknownArguments = "reject", flat = false }: CheckOptions = {},
) {
  const problems = new Problems();
  const where = 'tool "a"';
  const values = compileParameters(parameters, { unknownArguments, flat, where })(source, problems);
  const tree = JSON.parse(JSON.stringify(problems.toTree()));
  return { values, tree, missing: problems.missing };
}

const ACCEPTED: readonly {
  readonly title: string;
  readonly parameter: Parameter;
  readonly sent: unknown;
  readonly read: unknown;
}[] = [
  // K-19
  { title: "string", parameter: param.string(), sent: "a", read: "a" },
  { title: "empty string", parameter: param.string(), sent: "", read: "" },
  { title: "integer", parameter: param.integer(), sent: 8, read: 8 },
  { title: "integral float", parameter: param.integer(), sent: JSON.parse("5.0"), read: 5 },
  { title: "number", parameter: param.number(), sent: 2.5, read: 2.5 },
  { title: "boolean", parameter: param.boolean(), sent: false, read: false },
  {
    title: "decimal number",
    parameter: param.string({ format: "decimal" }),
    sent: 5.5,
    read: "5.5",
  },
  {
    title: "decimal text",
    parameter: param.string({ format: "decimal" }),
    sent: "1.10",
    read: "1.10",
  },
  { title: "free object", parameter: param.object(), sent: { a: [1] }, read: { a: [1] } },
  { title: "free array", parameter: param.array(), sent: [1, "a", null], read: [1, "a", null] },
  { title: "nullable", parameter: param.integer({ nullable: true }), sent: null, read: null },
  {
    title: "nested integral floats",
    parameter: param.array(param.integer()),
    sent: [1, "2.0"],
    read: [1, 2],
  },
  {
    title: "nullable elements",
    parameter: param.array(param.integer(), { itemsNullable: true }),
    sent: [1, null],
    read: [1, null],
  },
  {
    title: "rows",
    parameter: param.array({
      n: param.integer({ required: true }),
      d: param.string({ default: "x" }),
    }),
    sent: [{ n: "1" }, { n: 2, d: "y" }],
    read: [{ n: 1, d: "x" }, { n: 2, d: "y" }],
  },
  {
    title: "fields",
    parameter: param.object({ fields: { ok: param.boolean() } }),
    sent: { ok: "TRUE" },
    read: { ok: true },
  },
  // K-20
  { title: 'integer "5"', parameter: param.integer(), sent: "5", read: 5 },
  { title: 'integer "5."', parameter: param.integer(), sent: "5.", read: 5 },
  { title: 'integer "5.00"', parameter: param.integer(), sent: "5.00", read: 5 },
  { title: 'integer "-7"', parameter: param.integer(), sent: "-7", read: -7 },
  { title: 'number "2.5e3"', parameter: param.number(), sent: "2.5e3", read: 2500 },
  { title: 'boolean "True"', parameter: param.boolean(), sent: "True", read: true },
  { title: 'boolean "0"', parameter: param.boolean(), sent: "0", read: false },
  {
    title: "date",
    parameter: param.string({ format: "date" }),
    sent: "2024-02-29",
    read: "2024-02-29",
  },
  {
    title: "date/time",
    parameter: param.string({ format: "date-time" }),
    sent: "2026-07-28T09:30:00.5+02:00",
    read: "2026-07-28T09:30:00.5+02:00",
  },
  {
    title: "date/time without offset",
    parameter: param.string({ format: "date-time" }),
    sent: "2026-07-28 09:30",
    read: "2026-07-28 09:30",
  },
  {
    title: "choice after coercion",
    parameter: param.integer({ choices: [1, 2] }),
    sent: "2",
    read: 2,
  },
];

for (const { title, parameter, sent, read } of ACCEPTED) {
  Deno.test(`compileParameters() accepts ${title}`, () => {
    assertEquals(check({ x: parameter }, { x: sent }), {
      values: { x: read },
      tree: {},
      missing: [],
    });
  });
}

const REFUSED: readonly {
  readonly title: string;
  readonly parameter: Parameter;
  readonly sent: unknown;
  readonly tree: unknown;
}[] = [
  // K-17, K-19
  { title: "null", parameter: param.string(), sent: null, tree: ["This field cannot be null."] },
  {
    title: "a number for a string",
    parameter: param.string(),
    sent: 1,
    tree: ["Expected a string."],
  },
  {
    title: "a boolean for an integer",
    parameter: param.integer(),
    sent: true,
    tree: ["Expected an integer."],
  },
  {
    title: "a fraction for an integer",
    parameter: param.integer(),
    sent: 5.5,
    tree: ["Expected an integer."],
  },
  {
    title: "an inexact integer",
    parameter: param.integer(),
    sent: "9007199254740993",
    tree: ["Enter an integer of at most 53 bits."],
  },
  {
    title: "a boolean for a number",
    parameter: param.number(),
    sent: true,
    tree: ["Expected a number."],
  },
  { title: "NaN", parameter: param.number(), sent: NaN, tree: ["Enter a number."] },
  { title: "infinity", parameter: param.number(), sent: Infinity, tree: ["Enter a number."] },
  {
    title: "infinity as an integer",
    parameter: param.integer(),
    sent: Infinity,
    tree: ["Expected an integer."],
  },
  {
    title: "a number for a boolean",
    parameter: param.boolean(),
    sent: 1,
    tree: ["Expected a boolean."],
  },
  {
    title: "a text for an object",
    parameter: param.object(),
    sent: "{}",
    tree: ["Expected an object."],
  },
  {
    title: "an array for an object",
    parameter: param.object(),
    sent: [],
    tree: ["Expected an object."],
  },
  {
    title: "an object for an array",
    parameter: param.array(),
    sent: {},
    tree: ["Expected an array."],
  },
  {
    title: "a text for an array",
    parameter: param.array(),
    sent: "a",
    tree: ["Expected an array."],
  },
  {
    title: "what is no choice",
    parameter: param.string({ choices: ["open", "paid"] }),
    sent: "lost",
    tree: ['Select a valid choice: "open", "paid".'],
  },
  {
    title: "infinity as a decimal",
    parameter: param.string({ format: "decimal" }),
    sent: Infinity,
    tree: ["Enter a number."],
  },
  {
    title: "a boolean for a decimal",
    parameter: param.string({ format: "decimal" }),
    sent: true,
    tree: ["Expected a decimal number."],
  },
  {
    title: "a day that is none",
    parameter: param.string({ format: "date" }),
    sent: "2026-02-29",
    tree: ["Enter a valid date."],
  },
  {
    title: "an hour that is none",
    parameter: param.string({ format: "date-time" }),
    sent: "2026-07-28T24:00:00Z",
    tree: ["Enter a valid date/time."],
  },
  {
    title: "a null element",
    parameter: param.array(param.integer()),
    sent: [1, null, "x"],
    tree: { 1: ["This field cannot be null."], 2: ["Enter a whole number."] },
  },
  {
    title: "wrong rows (K-16)",
    parameter: param.array({ n: param.integer({ required: true }) }),
    sent: [{ n: 1 }, {}, 7, { n: 1, note: "x" }],
    tree: {
      1: { n: ["This field is required."] },
      2: { non_field_errors: ["Expected an object."] },
      3: { note: ["Unknown argument."] },
    },
  },
  // K-20
  {
    title: '"5.5" for an integer',
    parameter: param.integer(),
    sent: "5.5",
    tree: ["Enter a whole number."],
  },
  {
    title: '"" for an integer',
    parameter: param.integer(),
    sent: "",
    tree: ["Enter a whole number."],
  },
  {
    title: '"0x10" for a number',
    parameter: param.number(),
    sent: "0x10",
    tree: ["Enter a number."],
  },
  {
    title: '"1e999" for a number',
    parameter: param.number(),
    sent: "1e999",
    tree: ["Enter a number."],
  },
  {
    title: '"NaN" for a number',
    parameter: param.number(),
    sent: "NaN",
    tree: ["Enter a number."],
  },
  {
    title: '"yes" for a boolean',
    parameter: param.boolean(),
    sent: "yes",
    tree: ["Enter true, false, 1 or 0."],
  },
];

for (const { title, parameter, sent, tree } of REFUSED) {
  Deno.test(`compileParameters() refuses ${title}`, () => {
    assertEquals(check({ x: parameter }, { x: sent }).tree, { x: tree });
  });
}

// K-18, K-22
Deno.test("compileParameters() names required arguments that were left out", () => {
  const parameters = {
    b: param.string({ required: true }),
    a: param.object({ required: true }),
    c: param.string(),
    d: param.integer({ required: true, default: 3 }),
  };
  assertEquals(check(parameters, { a: undefined }), {
    values: { d: 3 },
    tree: { a: ["This field is required."], b: ["This field is required."] },
    missing: ["a", "b"],
  });
});

// K-21
Deno.test("compileParameters() drops undeclared names at every level under ignore", () => {
  const parameters = { o: param.object({ fields: { a: param.string() } }), r: param.array({}) };
  const source = { o: { a: "x", note: 1 }, r: [{ note: 1 }], note: 1 };
  assertEquals(check(parameters, source, { unknownArguments: "ignore" }), {
    values: { o: { a: "x" }, r: [{}] },
    tree: {},
    missing: [],
  });
});

// K-20, Q-2
Deno.test("compileParameters() wraps a single value into a list for flat sources alone", () => {
  const parameters = { ids: param.array(param.integer()), o: param.object() };
  assertEquals(check(parameters, { ids: "8" }, { flat: true }).values, { ids: [8] });
  assertEquals(check(parameters, { ids: ["8", "9"] }, { flat: true }).values, { ids: [8, 9] });
  assertEquals(check(parameters, { ids: null }, { flat: true }).tree, {
    ids: ["This field cannot be null."],
  });
  assertEquals(check(parameters, { o: "{}" }, { flat: true }).tree, {
    o: ["An object cannot be sent in a URI."],
  });
  assertEquals(check(parameters, { ids: "8" }).tree, { ids: ["Expected an array."] });
});

// B15
Deno.test("compileParameters() takes __proto__ for an unknown argument at every depth", () => {
  const parameters = {
    free: param.object(),
    list: param.array(),
    fields: param.object({ fields: {} }),
    rows: param.array({}),
  };
  const source = JSON.parse(`{
    "__proto__": { "polluted": true },
    "free": { "a": { "__proto__": 1 } },
    "list": [{ "__proto__": 1 }],
    "fields": { "__proto__": 1 },
    "rows": [{ "__proto__": { "polluted": true } }]
  }`);
  const problems = new Problems();
  const values = compileParameters(parameters, { unknownArguments: "reject", where: "a" })(
    source,
    problems,
  );
  assertEquals(
    JSON.stringify(problems.toTree()),
    '{"free":{"a":{"__proto__":["Unknown argument."]}},' +
      '"list":{"0":{"__proto__":["Unknown argument."]}},' +
      '"fields":{"__proto__":["Unknown argument."]},' +
      '"rows":{"0":{"__proto__":["Unknown argument."]}}}',
  );
  assertEquals("polluted" in values, false);
});

Deno.test("compileParameters() refuses a parameter named __proto__", () => {
  const options = { unknownArguments: "reject", where: 'tool "a"' } as const;
  const message = 'Cannot declare the parameters of tool "a": "__proto__" is no name';
  assertThrows(
    () => compileParameters({ __proto__: param.string() } as never, options),
    Error,
    message,
  );
  const own = JSON.parse('{"__proto__":{"type":"string"}}');
  assertThrows(() => compileParameters(own, options), Error, message);
  assertThrows(() => param.object({ fields: own }), Error, "fields");
  assertThrows(() => param.array(own), Error, "items");
});

const EVERYTHING = {
  s: param.string({ choices: ["a", "b"] }),
  d: param.string({ format: "date" }),
  t: param.string({ format: "date-time", nullable: true }),
  m: param.string({ format: "decimal" }),
  i: param.integer({ required: true }),
  n: param.number({ default: 1 }),
  b: param.boolean(),
  l: param.array(param.array(param.integer())),
  r: param.array({ i: param.integer({ required: true }), o: param.object() }),
  o: param.object({ fields: { l: param.array() } }),
};

Deno.test("compileParameters() never throws and never pollutes a prototype", () => {
  const value = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
    fc.json().map((text) => JSON.parse(text)),
    fc.string(),
  );
  const key = fc.constantFrom(...Object.keys(EVERYTHING), "__proto__", "constructor", "toString");
  const source = fc.array(fc.tuple(key, value)).map((entries) => Object.fromEntries(entries));
  fc.assert(
    fc.property(source, fc.boolean(), (given, flat) => {
      const { values } = check(EVERYTHING, given, { flat });
      assertEquals(Object.getPrototypeOf(values), Object.prototype);
      for (const name of Object.keys(values)) assertEquals(name in EVERYTHING, true);
      assertEquals(Object.keys(Object.prototype), []);
    }),
  );
});

// K-20
Deno.test("compileParameters() reads every safe integer and finite number back from its text", () => {
  fc.assert(fc.property(fc.maxSafeInteger(), fc.nat(5), (integer, zeros) => {
    const texts = [`${integer}`, `${integer}.${"0".repeat(zeros)}`];
    for (const i of texts) assertEquals(check(EVERYTHING, { i }).values.i, integer + 0);
  }));
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assertEquals(check(EVERYTHING, { n: `${number}`, i: 1 }).values.n, Number(`${number}`));
    }),
  );
});

Deno.test("compileParameters() reads a text as an integer only if it is one", () => {
  fc.assert(fc.property(fc.string(), (i) => {
    const { values, tree } = check(EVERYTHING, { i });
    if (/^\s*[+-]?\d+(\.0*)?\s*$/.test(i)) assertEquals(Number.isSafeInteger(values.i), true);
    else assertEquals(tree, { i: ["Enter a whole number."] });
  }));
});
