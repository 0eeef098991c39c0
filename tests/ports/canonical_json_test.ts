import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "../../src/ports/canonical_json.ts";

Deno.test("canonicalJson() writes what is equal alike, whatever the order of keys", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const text = canonicalJson(value);
    assertEquals(canonicalJson(reverseKeys(value)), text);
    assertEquals(canonicalJson(JSON.parse(text)), text);
  }));
});

Deno.test("canonicalJson() writes what differs otherwise", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    const [one, other] = [a, b].map((value) => JSON.parse(JSON.stringify(value))); // -0 is 0 in JSON
    assertEquals(canonicalJson(one) === canonicalJson(other), isDeepStrictEqual(one, other));
  }));
  const values = [{}, [], null, 0, "", false, { a: 1 }, { a: "1" }, { a: [1] }, [{ a: 1 }], {
    b: 1,
  }];
  assertEquals(new Set(values.map(canonicalJson)).size, values.length);
});

Deno.test("canonicalJson() keeps a key that is called __proto__ (B15)", () => {
  assertEquals(
    canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}')),
    '{"__proto__":{"a":2},"b":1}',
  );
});

Deno.test("canonicalJson() takes dates and bigints for their text", () => {
  const value = { at: new Date(0), n: 2n, gone: undefined };
  assertEquals(canonicalJson(value), '{"at":"1970-01-01T00:00:00.000Z","n":"2"}');
});

for (
  const value of [
    new Map(),
    new Set(),
    /a/,
    new (class Row {})(),
    () => 1,
    Symbol(),
    NaN,
    Infinity,
  ]
) {
  Deno.test(`canonicalJson() refuses ${String(value)}, at any depth`, () => {
    assertThrows(() => canonicalJson({ a: [value] }), TypeError, "use plain data");
  });
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse().map(([key, one]) => [key, reverseKeys(one)]);
  return Object.fromEntries(entries);
}
