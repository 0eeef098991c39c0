import { assertEquals } from "@std/assert";
import { isJsonObject, ownValue } from "../../src/protocol/json.ts";

Deno.test("isJsonObject() knows an object from a list, null and the rest", () => {
  const values = [{}, JSON.parse('{"__proto__":1}'), [], null, undefined, "a", 1, true];
  assertEquals(values.map(isJsonObject), [true, true, false, false, false, false, false, false]);
});

Deno.test("ownValue() never reads a prototype (B15)", () => {
  assertEquals(ownValue({ a: 1 }, "a"), 1);
  for (const key of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    assertEquals(ownValue({}, key), undefined);
  }
  assertEquals(ownValue(JSON.parse('{"__proto__":7}'), "__proto__"), 7);
});
