/** The protected-resource document (A-5, RFC 9728, B19, B91). */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, McpServer, type ServerOptions, unrestricted } from "@limen/mcp";

const auth = {
  authenticate: () => null,
  authorizationServers: ["https://login.example"],
};

function build(options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: "s",
    version: "1",
    title: "Billing",
    publicUrl: "https://mcp.example/public/mcp",
    auth,
    ...options,
  });
  for (const scopes of ["b", ["a", "b"], undefined]) {
    server.tool(`t${String(scopes)}`.replace(",", "_"), {
      description: "T.",
      effect: "read",
      permissions: [unrestricted],
      ...(scopes === undefined ? {} : { scopes }),
    }, () => "ok");
  }
  return server;
}

const ROOT = "/.well-known/oauth-protected-resource";
const fetchFrom = (server: McpServer, path: string, init?: RequestInit) =>
  server.fetch(new Request(`http://10.0.0.1:8000${path}`, init));

const ADDRESSES: readonly (readonly [publicUrl: string, path: string, status: number])[] = [
  ["https://mcp.example/public/mcp", ROOT, 200],
  ["https://mcp.example/public/mcp", `${ROOT}/`, 200],
  ["https://mcp.example/public/mcp", `${ROOT}/public/mcp`, 200],
  ["https://mcp.example/public/mcp", `${ROOT}/public/mcp/`, 200],
  ["https://mcp.example/public/mcp", `${ROOT}/public/mcp?x=y`, 200],
  ["https://mcp.example/public/mcp", `${ROOT}/public`, 404],
  ["https://mcp.example/public/mcp", `${ROOT}/other`, 404],
  ["https://mcp.example/public/mcp", `${ROOT}x`, 404],
  ["https://mcp.example/public/mcp", "/.well-known/oauth-authorization-server", 404],
  ["https://mcp.example/public/mcp/", `${ROOT}/public/mcp`, 200],
  ["https://mcp.example/public/mcp/", `${ROOT}/public/mcp/`, 200],
  ["https://mcp.example", ROOT, 200],
  ["https://mcp.example/", ROOT, 200],
  ["https://mcp.example/", `${ROOT}/mcp`, 404],
];

for (const [publicUrl, path, status] of ADDRESSES) {
  Deno.test(`McpServer at ${publicUrl} answers GET ${path} with ${status}`, async () => {
    const response = await fetchFrom(build({ publicUrl }), path);
    assertEquals(response.status, status);
    const body = await response.json();
    if (status === 200) assertEquals(body.resource, publicUrl);
    else assertEquals(body.error.code, -32600);
  });
}

Deno.test("McpServer says who issues tokens, and every scope that is declared", async () => {
  const server = build({ resourceMetadata: { documentation: "https://docs.example/" } });
  const response = await fetchFrom(server, ROOT, {
    headers: { origin: "https://anyone.example", "x-forwarded-host": "evil.example" },
  });
  assertEquals(await response.json(), {
    resource: "https://mcp.example/public/mcp",
    authorization_servers: ["https://login.example"],
    bearer_methods_supported: ["header"],
    scopes_supported: ["b", "a"],
    resource_name: "Billing",
    resource_documentation: "https://docs.example/",
  });
  assertEquals(Object.fromEntries(response.headers), {
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    "content-type": "application/json",
    vary: "Origin",
  });
});

Deno.test("McpServer names tools' scopes that were registered later, and no empty list", async () => {
  const server = new McpServer({ name: "s", version: "1", publicUrl: "https://a.example", auth });
  const read = async () => (await (await fetchFrom(server, ROOT)).json()).scopes_supported;
  assertEquals(await read(), undefined);
  const options = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
  server.tool("t", { ...options, scopes: "late" }, () => "ok");
  assertEquals(await read(), ["late"]);
});

Deno.test("McpServer answers HEAD, a preflight from anywhere, and nothing else there", async () => {
  const server = build();
  const head = await fetchFrom(server, ROOT, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
  assertEquals(head.headers.get("content-type"), "application/json");
  const preflight = await fetchFrom(server, ROOT, {
    method: "OPTIONS",
    headers: {
      origin: "https://anyone.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "mcp-protocol-version",
    },
  });
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-origin"), "*");
  assertEquals(preflight.headers.get("access-control-allow-headers"), "*");
  assertEquals(preflight.headers.get("access-control-allow-credentials"), null);
  const post = await fetchFrom(server, ROOT, { method: "POST", body: "{}" });
  assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
});

Deno.test("McpServer has no document without auth or an authorization server", async () => {
  const plain = new McpServer({ name: "s", version: "1", publicUrl: "https://mcp.example/" });
  assertEquals((await fetchFrom(plain, ROOT)).status, 404);
  assertEquals((await fetchFrom(build({ auth: { authenticate: () => null } }), ROOT)).status, 404);
  const named = build({
    auth: { authenticate: () => null },
    resourceMetadata: { authorizationServers: ["http://localhost:9000"] },
  });
  const { authorization_servers: servers } = await (await fetchFrom(named, ROOT)).json();
  assertEquals(servers, ["http://localhost:9000"]);
});

const WRONG: readonly (readonly [problem: RegExp, options: Partial<ServerOptions>])[] = [
  [/publicUrl must have no user, query or fragment/, { publicUrl: "https://a.example/?x=\\" }],
  [/publicUrl must have no user, query or fragment/, { publicUrl: "https://a.example/#x" }],
  [/publicUrl must have no user, query or fragment/, { publicUrl: "https://u:p@a.example/" }],
  [/must be an https URL/, { resourceMetadata: { authorizationServers: ["http://a.example"] } }],
  [/must be an https URL/, { resourceMetadata: { authorizationServers: ["a.example"] } }],
  [/not a scope/, { resourceMetadata: { initialScopes: ['a", evil="'] } }],
  [/not a scope/, { implies: { admin: ["a b"] } }],
  [/not a scope/, { implies: { "": ["a"] } }],
];

for (const [problem, options] of WRONG) {
  Deno.test(`McpServer refuses ${JSON.stringify(options)}`, () => {
    assertMatch(assertThrows(() => build(options), ConfigurationError).message, problem);
  });
}

Deno.test("McpServer refuses metadata without auth", () => {
  const error = assertThrows(
    () => new McpServer({ name: "s", version: "1", resourceMetadata: {} }),
    ConfigurationError,
  );
  assertMatch(error.message, /resourceMetadata needs auth/);
});

Deno.test("McpServer points to the document, whatever publicUrl is written like", async () => {
  const server = build({ publicUrl: 'https://MCP.example/a"b\\c' });
  const response = await server.fetch(
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    }),
  );
  const challenge = response.headers.get("www-authenticate")!;
  const url = /resource_metadata="([^"\\]+)"$/.exec(challenge)?.[1];
  assert(url?.startsWith("https://mcp.example/.well-known/oauth-protected-resource/"), challenge);
  assertEquals((await fetchFrom(server, new URL(url!).pathname)).status, 200);
});
