/** Tokens that are JWTs (B6, B93). */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer, type Principal, unrestricted } from "@limen/mcp";
import { jwtAuth, type JwtAuthOptions, type PublicJwk } from "@limen/mcp/auth/jwt";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "@panva/jose";
import { createJwtIssuer, type JwtIssuer } from "../_support/jwt_issuer.ts";
import { knownCaller } from "../_support/known_caller.ts";
import { mcpRequest } from "../_support/mcp_request.ts";

const AUDIENCE = "https://mcp.example/mcp";
const START_MS = Date.UTC(2026, 0, 1);

interface Setup {
  readonly issuer: JwtIssuer;
  readonly clock: { nowMs: number };
  ask(token: string, header?: string): Promise<unknown>;
}

async function setUp<User extends Principal>(
  options: Partial<JwtAuthOptions<User>> = {},
): Promise<Setup> {
  const clock = { nowMs: START_MS };
  const issuer = await createJwtIssuer(AUDIENCE, () => clock.nowMs);
  const { fetch } = issuer;
  const auth = jwtAuth({ issuer: issuer.issuer, fetch, now: () => clock.nowMs, ...options });
  auth.checkServer?.({ publicUrl: AUDIENCE, hasHost: false });
  return {
    issuer,
    clock,
    ask: async (token, header = `Bearer ${token}`) =>
      await knownCaller(auth, new Request(AUDIENCE, { headers: { authorization: header } })),
  };
}

Deno.test("jwtAuth() says who calls, by issuer and subject, and what the token permits", async () => {
  const { issuer, ask } = await setUp();
  const token = await issuer.sign({ scope: "a  b", deep: { list: [1] } });
  const caller = await ask(token) as { token: { claims: { deep: { list: number[] } } } };
  const seconds = START_MS / 1000;
  assertEquals(JSON.parse(JSON.stringify(caller)), {
    user: { id: "https://login.example/tenant|ada", authenticated: true },
    token: {
      scopes: ["a", "b"],
      audience: AUDIENCE,
      claims: {
        iss: "https://login.example/tenant",
        aud: AUDIENCE,
        sub: "ada",
        iat: seconds,
        exp: seconds + 300,
        scope: "a  b",
        deep: { list: [1] },
      },
    },
  });
  assertThrows(() => caller.token.claims.deep.list.push(2), TypeError);
  assert(!Deno.inspect(caller, { depth: 9, showHidden: true }).includes(token));
});

const TAKEN: readonly (readonly [title: string, claims: object, header?: object])[] = [
  ["several audiences, ours among them", { aud: ["https://other.example", AUDIENCE] }],
  ["an expiry that is four seconds past", { exp: START_MS / 1000 - 4 }],
  ["a start that is four seconds off", { nbf: START_MS / 1000 + 4 }],
  ["no key id, where there is one key", {}, { kid: undefined }],
  ["a type", {}, { typ: "at+jwt" }],
];

for (const [title, claims, header] of TAKEN) {
  Deno.test(`jwtAuth() takes a token with ${title}`, async () => {
    const { issuer, ask } = await setUp();
    assert(await ask(await issuer.sign({ ...claims }, { ...header })) !== null);
  });
}

const REFUSED: readonly (readonly [title: string, claims: object, header?: object])[] = [
  ["another audience", { aud: "https://other.example/mcp" }],
  ["an audience that ours begins with", { aud: "https://mcp.example/" }],
  ["our audience in other letters", { aud: "https://mcp.example/MCP" }],
  ["no audience", { aud: undefined }],
  ["an empty list of audiences", { aud: [] }],
  ["another issuer", { iss: "https://login.example" }],
  ["no issuer", { iss: undefined }],
  ["no subject", { sub: undefined }],
  ["an empty subject", { sub: "" }],
  ["a subject that is a number", { sub: 1 }],
  ["no expiry", { exp: undefined }],
  ["an expiry that is past", { exp: START_MS / 1000 - 6 }],
  ["an expiry that is a text", { exp: "never" }],
  ["a start to come", { nbf: START_MS / 1000 + 6 }],
  ["an unknown key id", {}, { kid: "other" }],
  ["jku", {}, { jku: "https://evil.example/keys" }],
  ["x5u", {}, { x5u: "https://evil.example/cert" }],
  ["x5c", {}, { x5c: ["MII"] }],
  ["jwk", {}, { jwk: { kty: "EC" } }],
  ["an unknown crit", {}, { crit: ["x-strict"], "x-strict": true }],
];

for (const [title, claims, header] of REFUSED) {
  Deno.test(`jwtAuth() refuses a token with ${title} (B6, B93)`, async () => {
    const { issuer, ask } = await setUp();
    const token = await issuer.sign({ ...claims }, { ...header });
    assertEquals(await ask(token), null);
    assertEquals(await ask(token), null); // a refusal is not remembered as a success
    assert(!issuer.asked.some((url) => url.includes("evil")));
  });
}

const TOLD: readonly (readonly [because: string, claims: object, header?: object])[] = [
  ["The token was refused: a claim is missing or wrong (aud)", { aud: "https://other.example" }],
  ["The token was refused: a claim is missing or wrong (iss)", { iss: "https://evil.example" }],
  ["The token was refused: a claim is missing or wrong (sub)", { sub: undefined }],
  ["The token names no subject", { sub: "" }],
  ["The token was refused: it has expired (exp)", { exp: START_MS / 1000 - 6 }],
  ["The token was refused: no key of the issuer is the one it names", {}, { kid: "other" }],
  ["The token was refused: it is no signed token, or brings a key of its own", {}, {
    jku: "https://evil.example/keys",
  }],
];

Deno.test("McpServer tells the log why a JWT was refused, and its sender always the same (O-3)", async () => {
  const { issuer } = await setUp();
  const told: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl: AUDIENCE,
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch, now: () => START_MS }),
    log: ({ fields }) => void told.push(fields?.because),
  });
  const answers = new Set<string>();
  const ask = async (authorization: string) => {
    const headers = { authorization };
    const response = await server.fetch(mcpRequest("modern", { url: AUDIENCE, headers }));
    const shown = [response.status, ...response.headers, await response.text()];
    answers.add(JSON.stringify(shown));
  };
  for (const [, claims, header] of TOLD) {
    await ask(`Bearer ${await issuer.sign({ ...claims }, { ...header })}`);
  }
  await ask("Bearer a.b.c");
  await ask("Basic YTpi");
  await ask(`Bearer ${(await issuer.sign()).slice(0, -6)}AAAAAA`);
  assertEquals(told, [
    ...TOLD.map(([because]) => because),
    "The token was refused: it is no signed token, or brings a key of its own",
    "The credential is no bearer token, or is over 8 KiB",
    "The token was refused: its signature is not the issuer's",
  ]);
  assertEquals(answers.size, 1);
});

Deno.test("jwtAuth() refuses forged tokens (B6)", async () => {
  const { issuer, ask } = await setUp();
  const good = await issuer.sign();
  const [head, body, signature] = good.split(".");
  const claims = { iss: issuer.issuer, aud: AUDIENCE, sub: "eve" };
  const unsigned = new UnsecuredJWT(claims).setExpirationTime("1h").encode();
  const jwks = await (await issuer.fetch("https://login.example/keys")).json();
  const shared = new TextEncoder().encode(JSON.stringify(jwks.keys[0]));
  const confused = await new SignJWT(claims).setExpirationTime("1h")
    .setProtectedHeader({ alg: "HS256", kid: "key-0" }).sign(shared);
  const stranger = await new SignJWT(claims).setExpirationTime("1h")
    .setProtectedHeader({ alg: "ES256", kid: "key-0" })
    .sign((await generateKeyPair("ES256")).privateKey);
  const changed = btoa(JSON.stringify(claims)).replace(/=+$/, "");
  const forged = [
    unsigned,
    confused,
    stranger,
    `${head}.${changed}.${signature}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    "bad",
    "a.b.c",
  ];
  for (const token of forged) assertEquals(await ask(token), null, token);
  assert(await ask(good) !== null);
});

Deno.test("jwtAuth() refuses another scheme, an oversized header and a token elsewhere", async () => {
  const { issuer, ask } = await setUp();
  const token = await issuer.sign();
  assert(await ask(token, `bearer ${token}`) !== null);
  assertEquals(await ask(token, `DPoP ${token}`), null);
  assertEquals(await ask(token, token), null);
  assertEquals(await ask(await issuer.sign({ pad: "x".repeat(8192) })), null);
  const auth = jwtAuth({ issuer: issuer.issuer, audience: AUDIENCE, fetch: issuer.fetch });
  const inQuery = new Request(`${AUDIENCE}?access_token=${token}`, {
    headers: { cookie: `access_token=${token}` },
  });
  assertEquals(await knownCaller(auth, inQuery), null);
});

Deno.test("jwtAuth() looks for the keys where clients look for metadata, once", async () => {
  const { issuer, ask } = await setUp();
  await Promise.all([ask(await issuer.sign()), ask(await issuer.sign({ sub: "bob" }))]);
  assertEquals(issuer.asked, [
    "https://login.example/.well-known/oauth-authorization-server/tenant",
    "https://login.example/.well-known/openid-configuration/tenant",
    "https://login.example/tenant/.well-known/openid-configuration",
    "https://login.example/keys",
  ]);
});

Deno.test("jwtAuth() does not follow metadata that names another issuer or an open address", async () => {
  for (
    const metadata of [
      { issuer: "https://login.example", jwks_uri: "https://login.example/keys" },
      { issuer: "https://login.example/tenant", jwks_uri: "http://login.example/keys" },
    ]
  ) {
    const { issuer, ask } = await setUp({ fetch: () => Promise.resolve(Response.json(metadata)) });
    await assertRejects(async () => await ask(await issuer.sign()), Error, "Cannot load the keys");
  }
});

Deno.test("jwtAuth() verifies a token once, until a minute has passed or it expires", async () => {
  const asked: string[] = [];
  const { issuer, clock, ask } = await setUp({
    user: ({ sub }, principal) => {
      asked.push(sub);
      return principal;
    },
  });
  const token = await issuer.sign();
  const short = await issuer.sign({ sub: "bob", exp: START_MS / 1000 + 20 });
  const first = await ask(token);
  assertEquals(await ask(token), first);
  await ask(short);
  await ask(short);
  assertEquals(asked, ["ada", "bob"]);
  clock.nowMs += 21_000;
  await ask(token);
  await ask(short); // within the tolerance, and verified again
  assertEquals(asked, ["ada", "bob", "bob"]);
  clock.nowMs += 40_000;
  assert(await ask(token) !== null);
  assertEquals(await ask(short), null);
  assertEquals(asked, ["ada", "bob", "bob", "ada"]);
});

Deno.test("jwtAuth() answers at once for a token that it knows", async () => {
  const issuer = await createJwtIssuer(AUDIENCE);
  const auth = jwtAuth({ issuer: issuer.issuer, audience: AUDIENCE, fetch: issuer.fetch });
  const headers = { authorization: `Bearer ${await issuer.sign()}` };
  const first = await auth.authenticate(new Request(AUDIENCE, { headers }), {});
  assert(auth.authenticate(new Request(AUDIENCE, { headers }), {}) === first);
});

Deno.test("jwtAuth() asks for new keys when a key is unknown, every 30 seconds at most", async () => {
  const { issuer, clock, ask } = await setUp();
  const old = await issuer.sign();
  assert(await ask(old) !== null);
  await issuer.rotate();
  const fresh = await issuer.sign();
  const count = issuer.asked.length;
  for (let i = 0; i < 9; i++) assertEquals(await ask(fresh), null);
  assertEquals(issuer.asked.length, count);
  assert(await ask(old) !== null); // remembered
  clock.nowMs += 30_000;
  const answers = await Promise.all([1, 2, 3].map(() => ask(fresh)));
  assert(answers.every((answer) => answer !== null));
  assertEquals(issuer.asked.length, count + 1);
  assertEquals(await ask(old), null); // its key is gone, and with it what was remembered
});

Deno.test("jwtAuth() remembers on when a made-up key makes it load the same keys", async () => {
  const asked: string[] = [];
  const { issuer, clock, ask } = await setUp({
    user: ({ sub }, principal) => {
      asked.push(sub);
      return principal;
    },
  });
  const token = await issuer.sign();
  await ask(token);
  clock.nowMs += 31_000;
  const count = issuer.asked.length;
  assertEquals(await ask(await issuer.sign({}, { kid: "made-up" })), null);
  assertEquals(issuer.asked.length, count + 1);
  assert(await ask(token) !== null);
  assertEquals(asked, ["ada"]);
});

Deno.test("jwtAuth() cannot say anything without keys, and goes on with those it has", async () => {
  const { issuer, clock, ask } = await setUp();
  issuer.isUp = false;
  const token = await issuer.sign({ exp: START_MS / 1000 + 10_000 });
  const error = await assertRejects(() => ask(token), Error, "Cannot load the keys of the issuer");
  assertEquals((error.cause as Error).message, "Connection refused");
  await assertRejects(() => ask(token));
  assertEquals(issuer.asked.length, 1); // not at every request
  issuer.isUp = true;
  clock.nowMs += 1000;
  assert(await ask(token) !== null);
  issuer.isUp = false;
  clock.nowMs += 11 * 60_000;
  assert(await ask(token) !== null);
  clock.nowMs += 60 * 60_000;
  await assertRejects(() => ask(token));
});

Deno.test("jwtAuth() takes keys, a type, algorithms and how to read scopes", async () => {
  const issuer = await createJwtIssuer(AUDIENCE);
  const { keys } = await (await issuer.fetch("https://login.example/keys")).json();
  const ask = async (token: string, options: Partial<JwtAuthOptions>) => {
    const auth = jwtAuth({ issuer: issuer.issuer, audience: AUDIENCE, keys, ...options });
    const headers = { authorization: `Bearer ${token}` };
    return (await knownCaller(auth, new Request(AUDIENCE, { headers })))?.token?.scopes;
  };
  const token = await issuer.sign({ scp: ["a", 1], roles: ["r"] }, { typ: "at+jwt" });
  assertEquals(await ask(token, {}), ["a"]);
  assertEquals(await ask(await issuer.sign({ scp: "a b" }), {}), ["a", "b"]);
  assertEquals(await ask(await issuer.sign({ scope: "", scp: "a" }), {}), []);
  assertEquals(await ask(token, { scopes: ({ roles }) => roles as string[] }), ["r"]);
  assertEquals(await ask(token, { type: "at+jwt" }), ["a"]);
  assertEquals(await ask(await issuer.sign({}, { typ: "JWT" }), { type: "at+jwt" }), undefined);
  assertEquals(await ask(token, { algorithms: ["RS256"] }), undefined);
});

Deno.test("jwtAuth() lets user() add to the principal or turn it away, not rename it", async () => {
  const staff = await setUp({
    user: async ({ tenant }, principal) => await Promise.resolve({ ...principal, tenant }),
  });
  const caller = await staff.ask(await staff.issuer.sign({ tenant: "t1" })) as { user: unknown };
  assertEquals(caller.user, {
    id: "https://login.example/tenant|ada",
    authenticated: true,
    tenant: "t1",
  });
  for (const nobody of [null, undefined]) {
    const closed = await setUp({ user: () => nobody });
    assertEquals(await closed.ask(await closed.issuer.sign()), null);
  }
  const renamed = await setUp({ user: () => ({ id: "ada", authenticated: true }) });
  await assertRejects(
    async () => await renamed.ask(await renamed.issuer.sign()),
    TypeError,
    "must keep the id",
  );
});

const publicKey = await exportJWK((await generateKeyPair("ES256")).publicKey) as PublicJwk;
const WRONG: readonly (readonly [problem: RegExp, options: object])[] = [
  [/issuer must be an https URL/, { issuer: "login.example" }],
  [/issuer must be an https URL/, { issuer: "http://login.example" }],
  [/issuer must be an https URL/, { issuer: "https://user:pass@login.example" }],
  [/jwksUrl must be an https URL/, { jwksUrl: "http://login.example/keys" }],
  [/audience is empty/, { audience: [] }],
  [/audience is empty/, { audience: "" }],
  [/keys or jwksUrl, not both/, { keys: [publicKey], jwksUrl: "https://login.example/keys" }],
  [/keys is empty/, { keys: [] }],
  [/private or a shared key/, { keys: [{ kty: "oct", k: "c2VjcmV0" }] }],
  [/private or a shared key/, { keys: [{ ...publicKey, d: "c2VjcmV0" }] }],
  [/"HS256" is not asymmetric/, { algorithms: ["HS256"] }],
  [/"none" is not asymmetric/, { algorithms: ["none"] }],
  [/algorithms is empty/, { algorithms: [] }],
  [/clockToleranceMs/, { clockToleranceMs: 600_000 }],
  [/audiences is not an option/, { audiences: ["x"] }],
];

for (const [problem, options] of WRONG) {
  Deno.test(`jwtAuth() refuses ${JSON.stringify(options).slice(0, 60)}`, () => {
    const build = () => jwtAuth({ issuer: "https://login.example", ...options });
    assertMatch(assertThrows(build, ConfigurationError).message, problem);
  });
}

Deno.test("jwtAuth() needs to know whom tokens are for, and serves one server (A-6)", async () => {
  const build = (auth: ReturnType<typeof jwtAuth>, publicUrl?: string) =>
    new McpServer({
      name: "s",
      version: "1",
      auth,
      ...(publicUrl === undefined ? {} : { publicUrl }),
    });
  const auth = jwtAuth({ issuer: "https://login.example" });
  const error = assertThrows(() => build(auth), ConfigurationError);
  assertMatch(error.message, /jwtAuth\(\) needs publicUrl or an audience/);
  await assertRejects(
    async () => {
      const headers = { authorization: "Bearer a.b.c" };
      await auth.authenticate(new Request(AUDIENCE, { headers }), {});
    },
    Error,
    "no server has this auth",
  );
  build(auth, "https://a.example/");
  build(auth, "https://a.example/");
  const other = assertThrows(() => build(auth, "https://b.example/"), ConfigurationError);
  assertMatch(other.message, /serves another publicUrl/);
  const named = jwtAuth({ issuer: "https://login.example", audience: "urn:api" });
  assertMatch(assertThrows(() => build(named), ConfigurationError).message, /publicUrl is missing/);
});

Deno.test("jwtAuth() takes a public URL without a path with and without its slash", async () => {
  for (const publicUrl of ["https://mcp.example", "https://mcp.example/"]) {
    for (const aud of ["https://mcp.example", "https://mcp.example/"]) {
      const issuer = await createJwtIssuer(aud);
      const auth = jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch });
      auth.checkServer?.({ publicUrl, hasHost: false });
      const headers = { authorization: `Bearer ${await issuer.sign()}` };
      assert(await knownCaller(auth, new Request(publicUrl, { headers })) !== null);
    }
  }
});

Deno.test("McpServer answers 500 and logs why while there are no keys, without the token", async () => {
  const issuer = await createJwtIssuer(AUDIENCE);
  issuer.isUp = false;
  const events: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl: AUDIENCE,
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch }),
    log: (event) => void events.push(event),
  });
  server.tool("t", { description: "T.", effect: "read", permissions: [unrestricted] }, () => "ok");
  const token = await issuer.sign();
  const response = await server.fetch(
    new Request(AUDIENCE, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    }),
  );
  assertEquals(response.status, 500);
  assertEquals((await response.json()).error.message, "Internal error");
  assertEquals(events.length, 1);
  assert(!Deno.inspect(events, { depth: 9 }).includes(token));
});
