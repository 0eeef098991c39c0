/** Another API's token in place of the caller's own (RFC 8693). */
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  holdToken,
  McpServer,
  poolSeeds,
  type SeedPool,
  specsFor,
  tokenExchange,
  type TokenExchangeOptions,
  unrestricted,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { createJwtIssuer } from "../_support/jwt_issuer.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly form: Readonly<Record<string, string>>;
}

function setUp(
  answer: (count: number) => Response | Promise<Response>,
  options: Partial<TokenExchangeOptions> = {},
) {
  const sent: Sent[] = [];
  const clock = { nowMs: 1_000_000_000_000 };
  const exchange = tokenExchange({
    tokenEndpoint: "https://login.example/token",
    clientId: "billing mcp",
    clientSecret: "s:c%",
    audience: "ledger",
    now: () => clock.nowMs,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      assertEquals([request.method, request.redirect], ["POST", "manual"]);
      sent.push({
        url: request.url,
        authorization: request.headers.get("authorization"),
        form: Object.fromEntries(new URLSearchParams(await request.text())),
      });
      return await answer(sent.length);
    },
    ...options,
  });
  return { sent, clock, exchange };
}

const grant = (count: number) =>
  Response.json({ access_token: `new-${count}`, token_type: "Bearer", expires_in: 90 });
const ada = { token: holdToken({ scopes: [] }, "ada-token") };

Deno.test("tokenExchange() asks the authorization server, and only it", async () => {
  const { sent, exchange } = setUp(grant, {
    resource: "https://ledger.example/",
    scopes: ["r", "w"],
  });
  assertEquals(await exchange(ada), "new-1");
  assertEquals(sent, [{
    url: "https://login.example/token",
    authorization: `Basic ${btoa("billing+mcp:s%3Ac%25")}`,
    form: {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: "ada-token",
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      audience: "ledger",
      resource: "https://ledger.example/",
      scope: "r w",
    },
  }]);
});

Deno.test("tokenExchange() keeps an answer until 30 seconds before it expires", async () => {
  const { clock, exchange } = setUp(grant);
  assertEquals(await Promise.all([exchange(ada), exchange(ada)]), ["new-1", "new-1"]);
  clock.nowMs += 59_999;
  assertEquals(await exchange(ada), "new-1");
  clock.nowMs += 1;
  assertEquals(await exchange(ada), "new-2");
});

Deno.test("tokenExchange() gives no token what another token of the same user got", async () => {
  const { exchange } = setUp(grant);
  assertEquals(await exchange(ada), "new-1");
  assertEquals(await exchange({ token: holdToken({ scopes: [] }, "ada-token-2") }), "new-2");
  assertEquals(await exchange({ token: holdToken({ scopes: ["x"] }, "ada-token") }), "new-1");
});

Deno.test("tokenExchange() keeps nothing longer than the caller's token, or without an expiry", async () => {
  const { exchange } = setUp(grant);
  const claims = { exp: 1_000_000_000 };
  const expired = { token: holdToken({ scopes: [], claims }, "ada-token") };
  assertEquals([await exchange(expired), await exchange(expired)], ["new-1", "new-2"]);
  const forever = setUp((count) =>
    Response.json({ access_token: `new-${count}`, token_type: "bearer" })
  );
  assertEquals([await forever.exchange(ada), await forever.exchange(ada)], ["new-1", "new-2"]);
});

Deno.test("tokenExchange() keeps a thousand answers at most", async () => {
  const { sent, exchange } = setUp(grant);
  const ask = (index: number) => exchange({ token: holdToken({ scopes: [] }, `token-${index}`) });
  for (let index = 0; index <= 1000; index++) await ask(index);
  await ask(1000);
  assertEquals(sent.length, 1001);
  await ask(0);
  assertEquals(sent.length, 1002);
});

const FAILURES: readonly (readonly [title: string, answer: () => Response, message: string])[] = [
  [
    "a refusal",
    () => Response.json({ error: "invalid_grant", error_description: "x" }, { status: 400 }),
    "Cannot exchange token: the authorization server answered 400 invalid_grant",
  ],
  [
    "a refusal that repeats what was sent",
    () => Response.json({ error: "ada-token" }, { status: 400 }),
    "Cannot exchange token: the authorization server answered 400",
  ],
  [
    "a redirect",
    () => new Response(null, { status: 307, headers: { location: "https://evil.example/" } }),
    "Cannot exchange token: the authorization server answered 307",
  ],
  [
    "no JSON",
    () => new Response("<html>"),
    "Cannot exchange token: the authorization server answered 200",
  ],
  [
    "another kind of token",
    () => Response.json({ access_token: "x", token_type: "DPoP" }),
    "Cannot exchange token: the answer holds no bearer token",
  ],
  [
    "the caller's own token",
    () => Response.json({ access_token: "ada-token", token_type: "Bearer" }),
    "Cannot exchange token: the answer is the caller's own, which is not passed on",
  ],
];

for (const [title, answer, message] of FAILURES) {
  Deno.test(`tokenExchange() fails at ${title}, and asks again`, async () => {
    const { sent, exchange } = setUp(answer);
    for (const _ of [1, 2]) {
      assertEquals((await assertRejects(() => exchange(ada), Error)).message, message);
    }
    assertEquals(sent.length, 2);
  });
}

Deno.test("tokenExchange() needs a credential that is held", async () => {
  const { sent, exchange } = setUp(grant);
  for (const pool of [{}, { token: undefined }, { token: { scopes: [] } }]) {
    await assertRejects(() => exchange(pool), Error, "credential is not held");
  }
  assertEquals(sent, []);
});

Deno.test("tokenExchange() refuses an open endpoint, and to ask for no API", () => {
  const refuse = (options: Partial<TokenExchangeOptions>) =>
    assertThrows(() => setUp(grant, options), ConfigurationError).message;
  assertMatch(refuse({ tokenEndpoint: "http://login.example/token" }), /must be an https URL/);
  const endpoint = "https://login.example/token";
  const client = { tokenEndpoint: endpoint, clientId: "a", clientSecret: "b" };
  assertMatch(
    assertThrows(() => tokenExchange(client), ConfigurationError).message,
    /name the audience or the resource/,
  );
});

Deno.test("tokenExchange() works from the pool of a call that jwtAuth() let in", async () => {
  const publicUrl = "https://mcp.example/mcp";
  const issuer = await createJwtIssuer(publicUrl);
  const { sent, exchange } = setUp(grant, { now: Date.now });
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl,
    implies: { admin: ["read"] },
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch }),
  });
  const options = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
  server.tool("t", { ...options, scopes: "read" }, (pool) => exchange(pool));
  const token = await issuer.sign({ scope: "admin" });
  const headers = { authorization: `Bearer ${token}` };
  const call = async () => {
    const request = mcpRequest("modern", { method: "tools/call", params: { name: "t" }, headers });
    return (await readAnswer(await server.fetch(request))).message?.result.content[0].text;
  };
  assertEquals([await call(), await call()], ["new-1", "new-1"]);
  assertEquals(sent.map(({ form }) => form.subject_token === token), [true]);
});

Deno.test("tokenExchange() serves as a seed, at each call or on demand", async () => {
  const { sent, exchange } = setUp(grant);
  const seeds = poolSeeds({
    ledgerToken: exchange,
    askForToken: (pool: SeedPool) => () => exchange(pool),
  });
  const { selectorSpec } = specsFor(seeds);
  const user = { id: "ada", authenticated: true };
  const server = new McpServer({
    name: "s",
    version: "1",
    seeds,
    auth: { authenticate: () => ({ user, token: holdToken({ scopes: [] }, "ada-token") }) },
  });
  const spec = selectorSpec({
    kind: "retrieve",
    permissions: [unrestricted],
    select: async ({ ledgerToken, askForToken }) => `${ledgerToken} ${await askForToken()}`,
  });
  server.registerTool(spec, { name: "t", description: "T." });
  const request = mcpRequest("modern", { method: "tools/call", params: { name: "t" } });
  const { message } = await readAnswer(await server.fetch(request));
  assertEquals(message?.result?.content[0].text, "new-1 new-1");
  assertEquals(sent.length, 1);
});
