import {
  assert,
  assertEquals,
  assertExists,
  assertInstanceOf,
  assertMatch,
  assertNotEquals,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
  fail,
} from "./assert.ts";
import { AssertionError } from "node:assert";

const refuses = (fn: () => unknown) => assertThrows(fn, AssertionError);

Deno.test("assertEquals() takes a null prototype and a plain one as equal, at every depth", () => {
  const bare = Object.assign(Object.create(null), {
    a: [Object.assign(Object.create(null), { b: 1 })],
  });
  assertEquals<unknown>(bare, { a: [{ b: 1 }] });
  assertEquals<unknown>(new Map([["a", Object.create(null)]]), new Map([["a", {}]]));
  assertEquals(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'));
  refuses(() => assertEquals<unknown>(JSON.parse('{"__proto__":{"a":1}}'), {}));
});

Deno.test("assertEquals() tells values, missing keys, holes and classes apart", () => {
  refuses(() => assertEquals(1, 2));
  refuses(() => assertEquals<unknown>({ a: undefined }, {}));
  refuses(() => assertEquals<unknown>([undefined], new Array(1)));
  refuses(() => assertEquals<unknown>(new Error("a"), { message: "a" }));
  refuses(() => assertEquals(new Error("a"), new Error("b")));
  refuses(() => assertEquals(new Date(0), new Date(1)));
  assertEquals(Uint8Array.of(1, 2), Uint8Array.of(1, 2));
  assertEquals(NaN, NaN);
});

Deno.test("assertEquals() ends on a cycle", () => {
  const cycle = (): object => {
    const object: Record<string, unknown> = { a: 1 };
    object.self = object;
    return object;
  };
  assertEquals(cycle(), cycle());
});

Deno.test("the simple assertions pass and fail", () => {
  assert(1);
  refuses(() => assert(0));
  assertNotEquals({ a: 1 }, { a: 2 });
  refuses(() => assertNotEquals({ a: 1 }, { a: 1 }));
  assertStrictEquals("a", "a");
  refuses(() => assertStrictEquals({}, {}));
  assertExists(0);
  refuses(() => assertExists(null));
  assertInstanceOf(new TypeError(), Error);
  refuses(() => assertInstanceOf({}, Error));
  assertMatch("abc", /b/);
  refuses(() => assertMatch("abc", /d/));
  assertStringIncludes("abc", "b");
  refuses(() => assertStringIncludes("abc", "d"));
  refuses(() => fail("no"));
});

Deno.test("assertObjectMatch() asks only for what is named", () => {
  assertObjectMatch({ a: 1, b: { c: 2, d: 3 }, e: [{ f: 4, g: 5 }] }, {
    b: { c: 2 },
    e: [{ f: 4 }],
  });
  refuses(() => assertObjectMatch({ a: 1 }, { a: 2 }));
  refuses(() => assertObjectMatch({ a: 1 }, { b: undefined }));
  refuses(() => assertObjectMatch({ a: [1, 2] }, { a: [1] }));
});

Deno.test("assertThrows() returns the error and checks its class and message", () => {
  const error = new TypeError("Cannot do it: too late");
  const boom = () => {
    throw error;
  };
  assertStrictEquals(assertThrows(boom), error);
  assertStrictEquals(assertThrows(boom, TypeError, "too late"), error);
  refuses(() => assertThrows(boom, RangeError));
  refuses(() => assertThrows(boom, TypeError, "too early"));
  refuses(() => assertThrows(() => {}));
});

Deno.test("assertRejects() returns the reason and refuses a synchronous throw", async () => {
  const error = new TypeError("Cannot do it: too late");
  assertStrictEquals(await assertRejects(() => Promise.reject(error), TypeError, "late"), error);
  await assertRejects(() => assertRejects(() => Promise.resolve()), AssertionError);
  await assertRejects(
    () =>
      assertRejects(() => {
        throw error;
      }),
    AssertionError,
  );
});
