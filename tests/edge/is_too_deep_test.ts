import { assertEquals } from "@std/assert";
import { isTooDeep } from "../../src/edge/is_too_deep.ts";

function nest(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}

Deno.test("isTooDeep() allows 64 levels, and not one more (B13)", () => {
  const wraps = [(inner: unknown) => [inner], (inner: unknown) => ({ a: 1, b: inner, c: "c" })];
  for (const wrap of wraps) {
    assertEquals([63, 64, 65].map((depth) => isTooDeep(nest(depth, wrap))), [false, false, true]);
  }
});

Deno.test("isTooDeep() judges a million levels without the stack", () => {
  assertEquals(isTooDeep(nest(1_000_000, (inner) => [inner])), true);
});

Deno.test("isTooDeep() does not mind width, or values that hold nothing", () => {
  assertEquals(isTooDeep(Array.from({ length: 100_000 }, () => ({}))), false);
  for (const value of [null, 1, "a", [], {}]) assertEquals(isTooDeep(value), false);
});
