import { assertEquals } from "@std/assert";
import { isThenable } from "../../src/ports/awaitable.ts";

Deno.test("isThenable() knows what must be awaited", () => {
  const yes = [Promise.resolve(), { then: () => {} }, Object.create({ then: () => {} })];
  assertEquals(yes.map(isThenable), [true, true, true]);
  const no = [null, undefined, 1, "then", {}, { then: 1 }, [], () => {}];
  assertEquals(no.filter(isThenable), []);
});
