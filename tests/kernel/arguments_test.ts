/** The argument check, as a caller meets it (K-11…K-27). */
import { assertEquals } from "@std/assert";
import { param, selectorSpec, serviceSpec, unrestricted } from "@limen/mcp";
import { z } from "zod";
import { serveSpec } from "../_support/serve_spec.ts";

const open = { permissions: [unrestricted] };
const MISSING = ["This field is required."];
const UNKNOWN = ["Unknown argument."];

/** A tool that answers the arguments it received. */
function echo(fields: object, binding: object = {}) {
  return serveSpec(serviceSpec({ ...open, run: ({ args }) => args, ...fields }), { binding });
}

const reads = {
  int: param.integer(),
  num: param.number(),
  flag: param.boolean(),
  text: param.string(),
  money: param.string({ format: "decimal" }),
  day: param.string({ format: "date" }),
  at: param.string({ format: "date-time" }),
  pick: param.string({ choices: ["a", "b"] }),
  ints: param.array(param.integer()),
  maybe: param.string({ nullable: true }),
  any: param.array(),
  holes: param.array(param.integer(), { itemsNullable: true }),
  nested: param.object({ fields: { n: param.integer({ required: true }) } }),
  rows: param.array({ n: param.integer({ required: true }) }),
};

// K-19, K-20, Q-2: strings are read as what is declared, on a tool call too.
const ACCEPTED: readonly (readonly [sent: object, received: object])[] = [
  [{ int: 5 }, { int: 5 }],
  [{ int: 5.0 }, { int: 5 }],
  [{ int: "8" }, { int: 8 }],
  [{ int: "5." }, { int: 5 }],
  [{ int: "5.0" }, { int: 5 }],
  [{ int: "-3" }, { int: -3 }],
  [{ num: "1.5" }, { num: 1.5 }],
  [{ num: 2 }, { num: 2 }],
  [{ flag: true }, { flag: true }],
  [{ flag: "TRUE" }, { flag: true }],
  [{ flag: "0" }, { flag: false }],
  [{ text: "8" }, { text: "8" }],
  [{ money: 1.5 }, { money: "1.5" }],
  [{ money: "1.50" }, { money: "1.50" }],
  [{ day: "2026-02-28" }, { day: "2026-02-28" }],
  [{ at: "2026-02-28T10:00:00Z" }, { at: "2026-02-28T10:00:00Z" }],
  [{ pick: "a" }, { pick: "a" }],
  [{ ints: ["1", 2, 3.0] }, { ints: [1, 2, 3] }],
  [{ maybe: null }, { maybe: null }],
  [{ any: [1, "a", { b: [null] }] }, { any: [1, "a", { b: [null] }] }],
  [{ holes: [1, null] }, { holes: [1, null] }],
  [{ nested: { n: 2.0 } }, { nested: { n: 2 } }],
  [{ rows: [{ n: 1 }, { n: 2.0 }] }, { rows: [{ n: 1 }, { n: 2 }] }],
];

for (const [sent, received] of ACCEPTED) {
  Deno.test(`arguments ${JSON.stringify(sent)} arrive as ${JSON.stringify(received)} (K-19, K-20)`, async () => {
    const { value } = await echo({ reads }).call(sent);
    assertEquals(value, received);
  });
}

// K-16, K-17: every problem in one tree, keyed by argument, field and index.
const REFUSED: readonly (readonly [sent: object, detail: object])[] = [
  [{ int: 5.5 }, { int: ["Expected an integer."] }],
  [{ int: "5.5" }, { int: ["Enter a whole number."] }],
  [{ int: "x" }, { int: ["Enter a whole number."] }],
  [{ int: true }, { int: ["Expected an integer."] }],
  [{ int: null }, { int: ["This field cannot be null."] }],
  [{ num: "NaN" }, { num: ["Enter a number."] }],
  [{ num: "Infinity" }, { num: ["Enter a number."] }],
  [{ num: true }, { num: ["Expected a number."] }],
  [{ flag: "yes" }, { flag: ["Enter true, false, 1 or 0."] }],
  [{ flag: 1 }, { flag: ["Expected a boolean."] }],
  [{ text: 5 }, { text: ["Expected a string."] }],
  [{ money: "1e" }, { money: ["Enter a number."] }],
  [{ day: "2026-02-29" }, { day: ["Enter a valid date."] }],
  [{ at: "today" }, { at: ["Enter a valid date/time."] }],
  [{ pick: "c" }, { pick: ['Select a valid choice: "a", "b".'] }],
  [{ ints: 5 }, { ints: ["Expected an array."] }],
  [{ ints: [1, "x", null] }, {
    ints: { 1: ["Enter a whole number."], 2: ["This field cannot be null."] },
  }],
  [{ nested: {} }, { nested: { n: MISSING } }],
  [{ nested: { n: 1, m: 2 } }, { nested: { m: UNKNOWN } }], // K-21
  [{ nested: 5 }, { nested: ["Expected an object."] }],
  [{ rows: [{ n: 1 }, 5, { n: "x", m: 1 }] }, {
    rows: {
      1: { non_field_errors: ["Expected an object."] },
      2: { n: ["Enter a whole number."], m: UNKNOWN },
    },
  }],
  [{ int: "x", note: 1, day: "" }, {
    note: UNKNOWN,
    int: ["Enter a whole number."],
    day: ["Enter a valid date."],
  }],
];

for (const [sent, detail] of REFUSED) {
  Deno.test(`arguments ${JSON.stringify(sent)} are refused in one tree (K-16, K-17, K-21)`, async () => {
    const { refusal } = await echo({ reads }).call(sent);
    assertEquals(refusal, { type: "validation_error", message: "Invalid arguments", detail });
  });
}

Deno.test("arguments nobody declared are dropped at every level under ignore (K-21)", async () => {
  const input = z.object({ name: z.string().optional() });
  const tool = echo({ reads, input }, { unknownArguments: "ignore" });
  const { value } = await tool.call({ note: 1, name: "a", nested: { n: 1, m: 2 } });
  assertEquals(value, { nested: { n: 1 }, name: "a" });
  assertEquals("additionalProperties" in (await tool.entry()).inputSchema, false); // K-45
});

Deno.test("a required argument with a default may be left out, and the default is applied (K-18)", async () => {
  const tool = echo({
    reads: { a: param.integer({ required: true, default: 3 }), b: param.integer({ default: 4 }) },
  });
  assertEquals((await tool.call({})).value, { a: 3, b: 4 });
  assertEquals("required" in (await tool.entry()).inputSchema, false);
});

Deno.test("fields of an input schema are arguments at the top level, coerced by the schema alone (K-26, Q-2)", async () => {
  const input = z.object({ amount: z.number(), note: z.string().transform((text) => `<${text}>`) });
  const tool = echo({ input });
  assertEquals((await tool.call({ amount: 5, note: "a" })).value, { amount: 5, note: "<a>" }); // K-25
  const { refusal } = await tool.call({ amount: "5", note: "a" });
  assertEquals(Object.keys(refusal?.detail), ["amount"]);
});

Deno.test("InvalidArguments tells the names that were left out, and the tree (K-22, T-42)", async () => {
  const { refusal } = await echo({
    reads: { pk: param.integer({ required: true }), a: param.integer({ required: true }) },
  }).call({ x: 1 });
  assertEquals(refusal, {
    type: "validation_error",
    message: "Missing required argument(s): `a`, `pk`.",
    detail: { a: MISSING, pk: MISSING, x: UNKNOWN },
  });
});

const item = z.object({
  amount: z.number().int("Expected an integer."),
  note: z.string().optional(),
});

/** A `many` service that says what it received. */
function batch(fields: object = {}, binding: object = {}) {
  const ran: unknown[] = [];
  const spec = serviceSpec({
    ...open,
    many: true,
    manyArgument: "invoices",
    maxItems: 3,
    input: item,
    run: ({ args }) => {
      ran.push(args);
      return args.map(({ amount }) => ({ amount }));
    },
    ...fields,
  });
  return { ran, ...serveSpec(spec, { binding }) };
}

// K-24, Q-6
const BATCHES: readonly (readonly [sent: object, detail: object])[] = [
  [{}, { invoices: MISSING }],
  [{ invoices: 5 }, { invoices: ["Expected a list."] }],
  [{ invoices: [{ amount: 1 }, { amount: 1.5 }] }, {
    invoices: { 1: { amount: ["Expected an integer."] } },
  }],
  [{ invoices: [{ amount: 1, colour: 2 }] }, { invoices: { 0: { colour: UNKNOWN } } }],
  [{ invoices: [5] }, {
    invoices: { 0: { non_field_errors: ["Invalid input: expected object, received number"] } },
  }],
  [{ invoices: [], note: 1 }, { note: UNKNOWN }],
  [{ invoices: Array(4).fill({ amount: 1 }) }, { invoices: ["Send at most 3 items, not 4."] }],
];

for (const [sent, detail] of BATCHES) {
  Deno.test(`a many tool refuses ${JSON.stringify(sent)}, and runs nothing (K-24)`, async () => {
    const tool = batch();
    const { refusal } = await tool.call(sent);
    assertEquals([refusal?.type, refusal?.detail], ["validation_error", detail]);
    assertEquals(tool.ran, []);
  });
}

Deno.test("a many tool says by its name that the list is missing (K-24)", async () => {
  const { refusal } = await batch().call({});
  assertEquals(refusal?.message, "Missing required argument(s): `invoices`.");
});

Deno.test("a many tool runs once with the checked list, and answers a bare array (K-24, T-22)", async () => {
  const tool = batch();
  const sent = { invoices: [{ amount: 1 }, { amount: 2, note: "a" }] };
  const { value } = await tool.call(sent);
  assertEquals(value, [{ amount: 1 }, { amount: 2 }]);
  assertEquals(tool.ran, [sent.invoices]);
  assertEquals((await tool.call({ invoices: [] })).value, []);
  assertEquals((await tool.call(sent, { era: "legacy" })).value, { result: value }); // M-15
});

Deno.test("a many tool drops what nobody declared under ignore, at the top and in items (K-24)", async () => {
  const tool = batch({}, { unknownArguments: "ignore" });
  await tool.call({ note: 1, invoices: [{ amount: 1, colour: 2 }] });
  assertEquals(tool.ran, [[{ amount: 1 }]]);
  const { inputSchema } = await tool.entry();
  assertEquals("additionalProperties" in inputSchema, false);
});

Deno.test("a many tool describes its list, bounded and closed (K-48)", async () => {
  assertEquals((await batch().entry()).inputSchema, {
    type: "object",
    properties: {
      invoices: {
        type: "array",
        maxItems: 3,
        items: {
          type: "object",
          properties: {
            amount: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
            note: { type: "string" },
          },
          required: ["amount"],
          additionalProperties: false,
        },
      },
    },
    required: ["invoices"],
    additionalProperties: false,
  });
  const plain = serviceSpec({ ...open, many: true, input: item, run: () => [] });
  const { properties } = (await serveSpec(plain).entry()).inputSchema;
  assertEquals([Object.keys(properties), properties.items.maxItems], [["items"], 1000]);
});

Deno.test("reads, shapes, filters and input fields are described in one object, help included (K-12, K-13, K-44, K-46, K-47)", async () => {
  const spec = selectorSpec({
    ...open,
    kind: "list",
    reads: {
      id: param.integer({ required: true, help: "Which one." }),
      maybe: param.string({ nullable: true, choices: ["a", "b"] }),
      tags: param.array(param.string({ choices: ["x", "y"] })),
      price: param.string({ format: "decimal" }),
      rows: param.array({ n: param.integer({ required: true }) }),
      size: param.integer({ default: 5 }),
    },
    shapes: { fields: param.array(param.string(), { help: "Which fields." }) },
    filters: { since: param.string({ format: "date" }) }, // K-10
    input: z.object({ q: z.string() }),
    select: () => [],
  });
  assertEquals((await serveSpec(spec).entry()).inputSchema, {
    type: "object",
    properties: {
      id: { type: "integer", description: "Which one." },
      maybe: { type: ["string", "null"], enum: ["a", "b", null] },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
      price: { type: "string", format: "decimal" },
      rows: {
        type: "array",
        items: {
          type: "object",
          properties: { n: { type: "integer" } },
          required: ["n"],
          additionalProperties: false,
        },
      },
      size: { type: "integer", default: 5 },
      since: { type: "string", format: "date" },
      fields: { type: "array", items: { type: "string" }, description: "Which fields." },
      q: { type: "string" },
    },
    required: ["id", "q"],
    additionalProperties: false,
  });
});
