import { assertEquals } from "@std/assert";
import { overCeiling } from "../../src/present/result_size.ts";

Deno.test("overCeiling() counts bytes of UTF-8, of the text and the structure (M-30)", () => {
  const result = { members: "\u00fc".repeat(10), structured: "a".repeat(5), meta: "{}" };
  assertEquals(overCeiling(result, 27), undefined);
  assertEquals(overCeiling(result, 26), 27);
  assertEquals(overCeiling(result, 1000), undefined);
  assertEquals(overCeiling({ members: "ab" }, 1), 2);
});
