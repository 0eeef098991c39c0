import { assertEquals } from "@std/assert";
import { admit } from "../../src/gate/admit.ts";
import type { Caller } from "../../src/ports/principal.ts";

const user = { id: "ada", authenticated: true };

function caller(...scopes: readonly string[]): Caller {
  return { user, token: { scopes } };
}

function from(caller: Caller): Parameters<typeof admit>[1] {
  return { caller, host: {} };
}

const denied = { code: -32006, message: "Insufficient permission" };
const lacking = {
  error: { ...denied, data: { requiredScopes: ["a", "b"] } },
  scopes: ["a", "b"],
};

const cases: readonly (readonly [title: string, who: Caller, expected: unknown])[] = [
  ["no token", { user }, { ...lacking, because: "The token lacks a b" }],
  ["no scope", caller(), { ...lacking, because: "The token lacks a b" }],
  ["one of two scopes", caller("a"), { ...lacking, because: "The token lacks b" }],
  ["scopes in another case", caller("A", "B"), { ...lacking, because: "The token lacks a b" }],
  ["both scopes in one", caller("a b"), { ...lacking, because: "The token lacks a b" }],
  ["all scopes", caller("b", "c", "a"), undefined],
];

for (const [title, who, expected] of cases) {
  Deno.test(`admit() judges a caller with ${title} by all scopes at once (A-20, B94)`, async () => {
    assertEquals(await admit({ scopes: ["a", "b"] }, from(who), () => undefined), expected);
  });
}

Deno.test("admit() asks no permission where scopes are missing already", async () => {
  let asked = 0;
  const ask = (): undefined => void asked++;
  await admit({ scopes: ["a"] }, from(caller()), ask);
  assertEquals(asked, 0);
  await admit({ scopes: ["a"] }, from(caller("a")), ask);
  assertEquals(asked, 1);
});

Deno.test("admit() tells every refusal of a permission in the same words", async () => {
  for (const because of ["Own words", "Other words"]) {
    for (const denial of [{ message: because }, Promise.resolve({ message: because })]) {
      const refusal = await admit({ scopes: [] }, from({ user }), () => denial);
      assertEquals(refusal, { error: denied, because }); // the log hears which (O-3)
    }
  }
  assertEquals(
    await admit({ scopes: [] }, from({ user }), () => Promise.resolve(undefined)),
    undefined,
  );
});
