import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createByteCounter } from "../../src/present/byte_counter.ts";

Deno.test("createByteCounter() counts as an encoder does, whatever the text (W-28)", () => {
  const countBytes = createByteCounter();
  const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
  const part = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("a", "é", "€", "😀"));
  fc.assert(fc.property(part, fc.integer({ min: 0, max: 5000 }), (text, times) => {
    const long = text.repeat(Math.min(times, Math.ceil(20_000 / Math.max(text.length, 1))));
    assertEquals(countBytes(long), bytesOf(long));
  }));
  for (const length of [0, 1, 4095, 4096, 4097, 8192]) {
    assertEquals(countBytes("a".repeat(length)), length);
    assertEquals(countBytes(`${"a".repeat(length)}😀`), length + 4);
  }
});
