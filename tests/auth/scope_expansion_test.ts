import { assert, assertEquals } from "@std/assert";
import { holdToken } from "@limen/mcp";
import { revealToken } from "../../src/auth/held_token.ts";
import { createScopeExpansion } from "../../src/auth/scope_expansion.ts";

const user = { id: "ada", authenticated: true };

const cases: readonly (readonly [
  title: string,
  implies: Readonly<Record<string, readonly string[]>>,
  scopes: readonly string[],
  expected: readonly string[],
])[] = [
  ["nothing", {}, ["a"], ["a"]],
  ["one step", { admin: ["read", "write"] }, ["admin"], ["admin", "read", "write"]],
  ["several steps", { a: ["b"], b: ["c"], c: ["d"] }, ["a"], ["a", "b", "c", "d"]],
  ["a circle", { a: ["b"], b: ["a", "b"] }, ["b"], ["b", "a"]],
  ["what is carried already", { a: ["b"] }, ["b", "a"], ["b", "a"]],
  ["no broader scope", { a: ["b"] }, ["b"], ["b"]],
  ["names of a prototype", { a: ["__proto__", "toString"] }, ["a", "constructor"], [
    "a",
    "constructor",
    "__proto__",
    "toString",
  ]],
];

for (const [title, implies, scopes, expected] of cases) {
  Deno.test(`createScopeExpansion() adds what is implied: ${title}`, () => {
    const caller = createScopeExpansion(implies)({ user, token: { scopes } });
    assertEquals([...caller.token!.scopes], [...expected]);
  });
}

Deno.test("createScopeExpansion() expands a caller once, and leaves one without a token", () => {
  const expand = createScopeExpansion({ a: ["b"] });
  const caller = { user, token: { scopes: ["a"], audience: "x", claims: { sub: "ada" } } };
  assert(expand(caller) === expand(caller));
  assertEquals(expand(caller).token, { ...caller.token, scopes: ["a", "b"] });
  assertEquals(caller.token.scopes, ["a"]);
  const anonymous = { user: { authenticated: false } };
  assert(expand(anonymous) === anonymous);
});

Deno.test("createScopeExpansion() keeps a held token held", () => {
  const token = holdToken({ scopes: ["a"] }, "raw-text");
  const expanded = createScopeExpansion({ a: ["b"] })({ user, token });
  assertEquals(revealToken(expanded.token!), "raw-text");
});
