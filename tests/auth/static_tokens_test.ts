import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer, staticTokens } from "@limen/mcp";
import { bearerToken } from "../../src/auth/bearer_token.ts";
import { knownCaller } from "../_support/known_caller.ts";

const user = { id: "ada", authenticated: true };
const token = "correct-horse-battery";

const HEADERS: readonly (readonly [header: string | null, token: string | undefined])[] = [
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["BEARER   abc==", "abc=="],
  ["Bearer a.b_c~d+e/f-g", "a.b_c~d+e/f-g"],
  [null, undefined],
  ["", undefined],
  ["abc", undefined],
  ["Basic abc", undefined],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearer a b", undefined],
  ["Bearer a, Bearer b", undefined],
  ["Bearer a=b", undefined],
  ["Bearer \u00e9", undefined],
  [`Bearer ${"a".repeat(8192)}`, undefined],
];

for (const [header, expected] of HEADERS) {
  const shown = header !== null && header.length > 40 ? `${header.slice(0, 20)}…` : header;
  Deno.test(`bearerToken() reads ${JSON.stringify(shown)} as ${JSON.stringify(expected)}`, () => {
    assertEquals(bearerToken(header), expected);
  });
}

Deno.test("staticTokens() knows whom a token stands for, and nobody else", async () => {
  const auth = staticTokens([
    { token, user, scopes: ["read"] },
    { token: "wrong-horse-battery", user: { id: "bob", authenticated: true } },
  ]);
  const ask = async (headers: HeadersInit, url = "http://localhost/") =>
    await knownCaller(auth, new Request(url, { headers }));
  assertEquals(await ask({ authorization: `Bearer ${token}` }), {
    user,
    token: { scopes: ["read"] },
  });
  const bob = await ask({ authorization: "Bearer wrong-horse-battery" });
  assertEquals(bob, { user: { id: "bob", authenticated: true }, token: { scopes: [] } });
  assertEquals(await ask({ authorization: `Bearer ${token}x` }), null);
  assertEquals(await ask({ authorization: `Bearer ${token.slice(1)}` }), null);
  assertEquals(await ask({ cookie: `token=${token}` }), null);
  assertEquals(await ask({}, `http://localhost/?access_token=${token}`), null);
});

Deno.test("staticTokens() refuses short and repeated tokens, without repeating them", () => {
  const short = assertThrows(
    () => staticTokens([{ token: "fifteen-letters", user }]),
    ConfigurationError,
  );
  assertEquals(short.message, "Cannot create static tokens: [0].token has under 16 characters");
  const twice = assertThrows(
    () => staticTokens([{ token, user }, { token, user }]),
    ConfigurationError,
  );
  assertEquals(twice.message, "Cannot create static tokens: [1].token is listed twice");
  const missing = undefined as unknown as string; // a variable of the environment that is not set
  const absent = assertThrows(
    () => staticTokens([{ token, user }, { token: missing, user }, { token: missing, user }]),
    ConfigurationError,
  );
  assertEquals(absent.message, "Cannot create static tokens: [1].token is missing, or no text");
});

Deno.test("staticTokens() is refused for a public https URL unless allowed by name (B6)", () => {
  const build = (publicUrl: string, allowPublicUrl?: boolean): McpServer => {
    const options = allowPublicUrl === undefined ? {} : { allowPublicUrl };
    const auth = staticTokens([{ token, user }], options);
    return new McpServer({ name: "s", version: "1", publicUrl, auth });
  };
  const error = assertThrows(() => build("https://mcp.example/"), ConfigurationError);
  assertMatch(error.message, /set allowPublicUrl: true/);
  build("https://mcp.example/", true);
  build("http://localhost:8000/");
});

// A-7 is left to `allowAnonymous`: no backend admits everyone.
Deno.test("staticTokens() serves whoever sends no token, if told to, and no wrong token", async () => {
  const auth = staticTokens([{ token, user }], { allowAnonymous: true });
  const ask = async (headers: HeadersInit) =>
    await knownCaller(auth, new Request("http://localhost/", { headers }));
  assertEquals(await ask({}), { user: { authenticated: false } });
  assertEquals((await ask({ authorization: `Bearer ${token}` }))?.user.id, "ada");
  for (
    const authorization of ["Bearer wrong-horse-battery", "", "Bearer", `Basic ${btoa("a:b")}`]
  ) {
    assertEquals(await ask({ authorization }), null);
  }
});
