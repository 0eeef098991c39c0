import { assert, assertEquals, assertThrows } from "@std/assert";
import { holdToken } from "@limen/mcp";
import { revealToken } from "../../src/auth/held_token.ts";

Deno.test("holdToken() keeps the raw text where nothing shows it (B17)", () => {
  const token = holdToken({ scopes: ["a"], audience: "x", claims: { sub: "ada" } }, "raw-text");
  assertEquals(revealToken(token), "raw-text");
  const shown = [
    JSON.stringify(token),
    Deno.inspect(token, { showHidden: true, depth: 9 }),
    Deno.inspect(structuredClone(token)),
    Deno.inspect(Object.getOwnPropertyDescriptors(token), { depth: 9 }),
    Deno.inspect(Object.getOwnPropertyNames(token.constructor)),
  ];
  assertEquals(shown.filter((text) => text.includes("raw-text") || text.includes("reveal")), []);
  assertEquals(JSON.parse(shown[0]!), {
    scopes: ["a"],
    audience: "x",
    claims: { sub: "ada" },
  });
  assertThrows(() => Object.assign(token, { scopes: ["admin"] }), TypeError);
});

Deno.test("holdToken() holds nothing for a copy", () => {
  const token = holdToken({ scopes: [] }, "raw-text");
  assertEquals(revealToken({ ...token }), undefined);
  assertEquals(revealToken(Object.create(token)), undefined);
  assert(!Object.keys(token).includes("audience"));
});
