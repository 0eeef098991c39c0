import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  escapeForWire,
  quote,
  SerializationError,
  serialize,
} from "../../src/present/serialize.ts";

const WRITTEN: readonly (readonly [title: string, value: unknown, text: string])[] = [
  ["undefined", undefined, "null"],
  ["null", null, "null"],
  ["a text", 'a"b', '"a\\"b"'],
  ["not a number", { n: NaN, i: Infinity }, '{"n":null,"i":null}'],
  ["absent members", { a: undefined, b: [undefined] }, '{"b":[null]}'],
  ["the author's key order", { b: 1, a: 2, 1: 3 }, '{"1":3,"b":1,"a":2}'],
  ["a safe bigint", 9007199254740991n, "9007199254740991"],
  ["a negative bigint", [-1n], "[-1]"],
  [
    "a bigint beside everything else",
    {
      n: 1n,
      at: new Date(0),
      list: [1, "a", null, undefined, true],
      none: undefined,
      inner: { ["__proto__"]: 1 },
      boxed: [new String("s"), new Number(2), new Boolean(false)],
    },
    '{"n":1,"at":"1970-01-01T00:00:00.000Z","list":[1,"a",null,null,true],' +
    '"inner":{"__proto__":1},"boxed":["s",2,false]}',
  ],
  ["what toJSON() answers, bigints included", { toJSON: () => ({ n: 2n }) }, '{"n":2}'],
  ["a Date", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ["a date that is none", { at: new Date(NaN) }, '{"at":null}'],
  ["the same object twice", [shared(), shared()], '[{"a":1},{"a":1}]'],
  ["line ends", "a\u2028b\u2029c\u0085d", '"a\\u2028b\\u2029c\\u0085d"'],
  ["line ends in keys", { "a\u2028": 1 }, '{"a\\u2028":1}'],
  ["halves of surrogate pairs", "a\ud83d", '"a\ufffd"'],
  ["two halves in the wrong order", "\udc00\ud800", '"\ufffd\ufffd"'],
  ["halves in keys", { "\udfff": ["\ud800"] }, '{"\ufffd":["\ufffd"]}'],
  ["a whole pair", "\ud83d\ude00", '"\u{1f600}"'],
  ["text that looks like half a pair", "\\ud83d", '"\\\\ud83d"'],
  ["a backslash before half a pair", "\\\ud83d", '"\\\\\ufffd"'],
  ["NUL", "\u0000", '"\\u0000"'],
];

for (const [title, value, text] of WRITTEN) {
  Deno.test(`serialize() writes ${title}`, () => {
    assertEquals(serialize(value), text);
  });
}

const cycle: unknown[] = [];
cycle.push({ cycle });

const REFUSED: readonly (readonly [title: string, value: unknown, message: string])[] = [
  ["a cycle", { a: cycle }, "Cannot write $.a.0.cycle as JSON: it is a cycle"],
  ["a bigint out of range", { a: [2n ** 53n] }, "Cannot write $.a.0 as JSON: the bigint is out"],
  ["a function", { a: () => 1 }, "Cannot write $.a as JSON: it is a function"],
  ["a function alone", () => 1, "Cannot write $ as JSON: it is a function"],
  ["a symbol", [Symbol("s")], "Cannot write $.0 as JSON: it is a symbol"],
  ["a Map", { a: { b: new Map() } }, "Cannot write $.a.b as JSON: it is a Map"],
  ["a Set", new Set([1]), "Cannot write $ as JSON: it is a Set"],
  ["a Map beside a bigint", { n: 1n, m: new Map() }, "Cannot write $.m as JSON: it is a Map"],
  ["a nest that is too deep for the stack", nest(100_000), "it is nested too deeply"],
];

for (const [title, value, message] of REFUSED) {
  Deno.test(`serialize() refuses ${title}, and names the place`, () => {
    assertThrows(() => serialize(value), SerializationError, message);
  });
}

Deno.test("serialize() writes what every reader of JSON reads, for any JSON value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(JSON.parse(serialize(value)), JSON.parse(JSON.stringify(value)));
  }));
});

Deno.test("serialize() leaves no half of a surrogate pair and no line end, in any text", () => {
  const text = fc.array(
    fc.constantFrom("\ud83d", "\ude00", "\\", "u", "d83d", "\u2028", "\u0085", '"', "a"),
    { maxLength: 12 },
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(text, text, (key, value) => {
    const json = serialize({ [key]: value });
    assertEquals(/[\u0085\u2028\u2029]/.test(json), false);
    assertEquals(json.isWellFormed(), true);
    assertEquals(JSON.parse(json), { [key.toWellFormed()]: value.toWellFormed() });
  }));
});

Deno.test("quote() writes a text or an id as serialize() does, however long it is", () => {
  const units = ["binary", "grapheme-ascii", "grapheme"] as const;
  for (const unit of units) {
    fc.assert(fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      assertEquals(quote(text), serialize(text));
    }));
  }
  fc.assert(fc.property(fc.maxSafeInteger(), (id) => {
    assertEquals(quote(id), serialize(id));
  }));
  for (let code = 0; code < 0x10000; code++) {
    const text = String.fromCharCode(code);
    assertEquals(quote(text), serialize(text));
  }
});

Deno.test("escapeForWire() leaves other text as it is", () => {
  assertEquals(escapeForWire('"\\u0000 \\\\udab"'), '"\\u0000 \\\\udab"');
});

function shared(): object {
  return { a: 1 };
}

function nest(depth: number): unknown[] {
  let value: unknown[] = [];
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
