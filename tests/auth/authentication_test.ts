/** Who calls, as a client sees it (A-1, A-3, B91, B94); A-3 by the decisions: no error without a token. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { authenticated, McpServer, staticTokens, unrestricted } from "@limen/mcp";
import { challenge } from "../../src/auth/challenge.ts";
import { type McpInput, mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound } from "../_support/wire_sheet.ts";

const token = "correct-horse-battery";
const poor = "wrong-horse-battery";

function createServer() {
  const ran: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    auth: staticTokens([
      { token, user: { id: "ada", authenticated: true }, scopes: ["a", "b"] },
      { token: poor, user: { id: "bob", authenticated: true }, scopes: ["a"] },
      { token: "locked-out-battery", user: { id: "eve", authenticated: true, active: false } },
    ]),
  });
  server.tool("open", {
    description: "Tests.",
    effect: "read",
    permissions: [unrestricted],
  }, ({ user, token }) => {
    ran.push(user.id, token);
    return "ok";
  });
  server.tool("scoped", {
    description: "Tests.",
    effect: "read",
    scopes: ["a", "b"],
    permissions: [authenticated],
  }, () => {
    ran.push("scoped");
    return "ok";
  });
  return { server, ran };
}

const open: McpInput = { method: "tools/call", params: { name: "open" } };
const scoped: McpInput = { method: "tools/call", params: { name: "scoped" } };

const cases: readonly (readonly [
  title: string,
  input: McpInput,
  status: number,
  challenge: string | null,
])[] = [
  ["no token", open, 401, 'Bearer realm="mcp"'],
  [
    "a token nobody knows",
    { ...open, headers: { authorization: "Bearer bad" } },
    401,
    'Bearer realm="mcp", error="invalid_token"',
  ],
  [
    "another scheme",
    { ...open, headers: { authorization: `Basic ${btoa("a:b")}` } },
    401,
    'Bearer realm="mcp", error="invalid_token"',
  ],
  [
    "a token in the query",
    { ...open, url: `http://localhost/mcp?access_token=${token}` },
    401,
    'Bearer realm="mcp"',
  ],
  [
    "the scheme in lower case",
    {
      ...open,
      headers: { authorization: `bearer ${token}` },
    },
    200,
    null,
  ],
  [
    "a notification without a token",
    {
      method: "notifications/cancelled",
      id: null,
    },
    401,
    'Bearer realm="mcp"',
  ],
  [
    "one scope of two",
    {
      ...scoped,
      headers: { authorization: `Bearer ${poor}` },
    },
    403,
    'Bearer realm="mcp", error="insufficient_scope", scope="a b"',
  ],
  ["both scopes", { ...scoped, headers: { authorization: `Bearer ${token}` } }, 200, null],
  [
    "an account that is locked",
    {
      ...open,
      headers: { authorization: "Bearer locked-out-battery" },
    },
    403,
    'Bearer realm="mcp"',
  ],
];

for (const [title, input, status, expected] of cases) {
  Deno.test(`McpServer answers ${title} with ${status} and its challenge (B91, B94)`, async () => {
    const { server, ran } = createServer();
    const answer = await readAnswer(await server.fetch(mcpRequest("modern", input)));
    assertEquals([answer.status, answer.headers.get("www-authenticate")], [status, expected]);
    assertSound(answer, input.method!);
    assertEquals(ran.length > 0, status === 200);
    if (status === 401) assertEquals(answer.message?.error.code, -32600);
    if (status === 403) assertEquals(answer.message?.error.code, -32006);
    assert(!answer.text.includes(token) && !answer.text.includes("bad"));
  });
}

Deno.test("McpServer hands the callable the user and the scopes, never the token (A-2, A-8)", async () => {
  const { server, ran } = createServer();
  const headers = { authorization: `Bearer ${token}` };
  await server.fetch(mcpRequest("modern", { ...open, headers }));
  assertEquals(ran, ["ada", { scopes: ["a", "b"] }]);
});

Deno.test("McpServer takes an authenticator that answers at once, and undefined for nobody", async () => {
  for (const [caller, status] of [[{ user: { authenticated: false } }, 200], [undefined, 401]]) {
    const auth = { authenticate: () => caller as never };
    const server = new McpServer({ name: "s", version: "1", auth });
    const options = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
    server.tool("open", options, () => "ok");
    assertEquals((await server.fetch(mcpRequest("modern", open))).status, status);
  }
});

Deno.test("challenge() names the error and every scope (RFC 6750)", () => {
  assertEquals(challenge({}), 'Bearer realm="mcp"');
  assertEquals(
    challenge({ error: "insufficient_scope", scopes: ["a", "b:c"] }),
    'Bearer realm="mcp", error="insufficient_scope", scope="a b:c"',
  );
});

Deno.test("challenge() points to the metadata, and writes nothing that ends its quotes (A-4)", () => {
  assertEquals(
    challenge({ resourceMetadata: "https://a.example/x", error: "invalid_token", scopes: ["a"] }),
    'Bearer realm="mcp", resource_metadata="https://a.example/x", error="invalid_token", scope="a"',
  );
  for (const bad of ['a"b', "a\\b", "a\r\nb", "a\u00e9"]) {
    assertThrows(() => challenge({ scopes: [bad] }), TypeError, "scope holds a character");
    assertThrows(() => challenge({ resourceMetadata: bad }), TypeError);
  }
});
