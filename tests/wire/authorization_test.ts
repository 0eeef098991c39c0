/** Section J of the wire cases: authorization, and what stands between client and server. */
import { assert, assertEquals } from "@std/assert";
import { McpServer, unrestricted } from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { createJwtIssuer } from "../_support/jwt_issuer.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound, testLanes } from "../_support/wire_sheet.ts";

const PUBLIC_URL = "https://mcp.example/public/mcp";
const METADATA =
  'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/public/mcp"';
const issuer = await createJwtIssuer(PUBLIC_URL);
const seconds = Math.floor(Date.now() / 1000);

function createServer(secret?: string) {
  const ran: string[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl: PUBLIC_URL,
    implies: { admin: ["a", "write"], write: ["b"] },
    resourceMetadata: { initialScopes: ["a"] },
    ...(secret === undefined ? {} : { secret }),
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch }),
  });
  for (const [name, scopes] of [["open", undefined], ["scoped", ["a", "b"]]] as const) {
    server.tool(name, {
      description: "Reports progress, which opens a stream, and answers.",
      effect: "read",
      permissions: [unrestricted],
      ...(scopes === undefined ? {} : { scopes }),
    }, ({ progress }) => {
      ran.push(name);
      progress(1);
      return "ok";
    });
  }
  return { server, ran };
}

type Row = readonly [
  id: string,
  title: string,
  input: McpInput,
  status: number,
  challenge: string | null,
];

const call = (name: string, authorization?: string): McpInput => ({
  method: "tools/call",
  params: { name },
  meta: { progressToken: 1 },
  ...(authorization === undefined ? {} : { headers: { authorization } }),
});
const bearer = async (claims: Readonly<Record<string, unknown>>) =>
  `Bearer ${await issuer.sign(claims)}`;

const good = await issuer.sign();
const [head, body] = good.split(".");
const unsigned = `${btoa('{"alg":"none"}').replace(/=+$/, "")}.${body}.`;
const ask = `Bearer realm="mcp", ${METADATA}, scope="a"`;
const invalid = `Bearer realm="mcp", ${METADATA}, error="invalid_token", scope="a"`;
const stepUp = `Bearer realm="mcp", ${METADATA}, error="insufficient_scope", scope="a b"`;

const rows: readonly Row[] = [
  ["B91", "no token", { method: "tools/list" }, 401, ask],
  ["B91", "a token that is none", call("open", "Bearer bad"), 401, invalid],
  ["B91", "an expired token", call("open", await bearer({ exp: seconds - 60 })), 401, invalid],
  ["B91", "the scheme in lower case", call("open", `bearer ${good}`), 200, null],
  [
    "B91",
    "a token in the query",
    { ...call("open"), url: `http://localhost/mcp?access_token=${good}` },
    401,
    ask,
  ],
  ["B91", "no token, and a tool that does not exist", call("missing"), 401, ask],
  ["B91", "no token, and a method that does not exist", { method: "x/y" }, 401, ask],
  [
    "B93",
    "another audience",
    call("open", await bearer({ aud: "https://x.example" })),
    401,
    invalid,
  ],
  ["B93", "ours among others", call("open", await bearer({ aud: ["x", PUBLIC_URL] })), 200, null],
  ["B93", "no audience", call("open", await bearer({ aud: undefined })), 401, invalid],
  ["B93", "a start to come", call("open", await bearer({ nbf: seconds + 60 })), 401, invalid],
  ["B93", "alg none", call("open", `Bearer ${unsigned}`), 401, invalid],
  ["B93", "no signature", call("open", `Bearer ${head}.${body}.`), 401, invalid],
  ["B94", "no scope", call("scoped", await bearer({})), 403, stepUp],
  ["B94", "one scope of two", call("scoped", await bearer({ scope: "a" })), 403, stepUp],
  ["B94", "both scopes", call("scoped", await bearer({ scope: "b a" })), 200, null],
  ["B94", "a scope that implies both", call("scoped", await bearer({ scope: "admin" })), 200, null],
  [
    "B94",
    "a scope that implies one",
    call("scoped", await bearer({ scope: "write" })),
    403,
    stepUp,
  ],
];

for (const era of ["modern", "legacy"] as const) {
  for (const [id, title, input, status, challenge] of rows) {
    testLanes(`${id} ${era}: ${title} is ${status}`, async (reach) => {
      const { server, ran } = createServer();
      const { fetch } = await reach(server);
      const answer = await readAnswer(await fetch(mcpRequest(era, input)));
      assertEquals(answer.status, status, answer.text);
      assertEquals(answer.headers.get("www-authenticate"), challenge);
      assertEquals(ran, status === 200 ? [input.params?.name] : []);
      if (era === "modern") assertSound(answer, input.method!);
      if (status !== 200) assertEquals(answer.headers.get("content-type"), "application/json");
      if (status === 401) assertEquals(answer.message?.error.code, -32600);
      if (status === 403) {
        assertEquals(answer.message?.error.code, -32006);
        assertEquals(answer.message?.error.data, { requiredScopes: ["a", "b"] });
      }
    });
  }

  testLanes(`B96 ${era}: what a gateway adds is ignored`, async (reach) => {
    const { fetch } = await reach(createServer().server);
    const input = {
      ...call("open"),
      url: "http://10.0.0.7:8080/mcp",
      headers: {
        authorization: `Bearer ${good}`,
        "mcp-session-id": "foreign",
        "mcp-param-zzz": "1",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example",
        connection: "close",
      },
    };
    const answer = await readAnswer(await fetch(mcpRequest(era, input)));
    assertEquals([answer.status, answer.message?.result.content[0].text], [200, "ok"]);
  });

  testLanes(
    `B96 ${era}: the challenge names the configured URL, whatever Host says`,
    async (reach) => {
      const { fetch } = await reach(createServer().server);
      const input = {
        ...call("open"),
        url: "http://evil.example/mcp",
        headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
      };
      const answer = await readAnswer(await fetch(mcpRequest(era, input)));
      assertEquals([answer.status, answer.headers.get("www-authenticate")], [401, ask]);
    },
  );

  testLanes(`B91 ${era}: a page of an allowed origin can read the challenge`, async (reach) => {
    const { fetch } = await reach(createServer().server);
    const origin = "https://mcp.example";
    for (const [name, status, authorization] of [["open", 401], ["scoped", 403, good]] as const) {
      const input = call(
        name,
        authorization === undefined ? undefined : `Bearer ${authorization}`,
      );
      const headers = { origin, ...input.headers };
      const answer = await readAnswer(await fetch(mcpRequest(era, { ...input, headers })));
      assertEquals(answer.status, status);
      assertEquals(answer.headers.get("access-control-allow-origin"), origin);
      assert(answer.headers.get("access-control-expose-headers")?.includes("WWW-Authenticate"));
      assert(answer.headers.get("www-authenticate")?.includes(METADATA));
    }
  });
}

testLanes("B91 legacy: without a token it is 401 before a session is looked at", async (reach) => {
  const { server } = createServer("a secret of the tests, 32 bytes long");
  const { fetch } = await reach(server);
  for (const verb of ["POST", "DELETE"]) {
    for (const [authorization, status] of [[null, 401], [`Bearer ${good}`, 404]] as const) {
      const headers = { "mcp-session-id": "made-up", authorization };
      const input = { ...call("open"), verb, headers };
      const answer = await readAnswer(await fetch(mcpRequest("legacy", input)));
      assertEquals(answer.status, status);
      assertEquals(answer.headers.get("www-authenticate"), status === 401 ? ask : null);
    }
  }
});
