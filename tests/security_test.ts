/**
 * The security rules, one attack for each, through the front door. What a rule asks of one part alone
 * is tested beside that part.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ConfigurationError,
  jsonSchema,
  McpServer,
  param,
  selectorSpec,
  type ServerOptions,
  staticTokens,
  tokenBucket,
  unrestricted,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { otel } from "@limen/mcp/otel";
import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { type Context, propagation, trace } from "@opentelemetry/api";
import { UnsecuredJWT } from "@panva/jose";
import { createFixture } from "./_support/fixture_server.ts";
import { createJwtIssuer } from "./_support/jwt_issuer.ts";
import { legacyRequest, listen, openSession } from "./_support/legacy_session.ts";
import { type McpInput, mcpRequest } from "./_support/mcp_request.ts";
import { readAnswer } from "./_support/read_answer.ts";

const ADA = "the-token-of-ada-1234";
const BOB = "the-token-of-bob-1234";
const SECRET = "a secret of more than thirty-two bytes";
const auth = staticTokens([
  { token: ADA, user: { id: "ada", authenticated: true } },
  { token: BOB, user: { id: "bob", authenticated: true } },
], { allowAnonymous: true });
const open = { description: "Tests.", effect: "read", permissions: [unrestricted] } as const;

async function send(server: McpServer, input: McpInput, ...platform: readonly unknown[]) {
  return await readAnswer(await server.fetch(mcpRequest("modern", input), ...platform));
}

function callOf(name: string, args: object = {}, input: McpInput = {}): McpInput {
  return { method: "tools/call", params: { name, arguments: args }, ...input };
}

async function statusOf(pending: Promise<Response>): Promise<number> {
  const response = await pending;
  await response.body?.cancel();
  return response.status;
}

Deno.test("security B1: a rebound host name makes no page ours, and the body is not read", async () => {
  const issuer = await createJwtIssuer("https://mcp.example/mcp");
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl: "https://mcp.example/mcp",
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch }),
    log: () => {},
  });
  for (const origin of ["http://evil.example", "null", "https://mcp.example.evil.example"]) {
    const body = new ReadableStream({
      pull: () => {
        throw new Error("The body was read");
      },
    }, { highWaterMark: 0 });
    const url = "http://evil.example/mcp";
    const { status } = await send(server, { url, body, headers: { host: "evil.example", origin } });
    assertEquals(status, 403);
  }
  const { headers } = await send(server, {
    url: "http://evil.example/mcp",
    headers: { host: "evil.example" },
  });
  assertEquals(headers.get("www-authenticate")?.includes("evil"), false);
  assert(headers.get("www-authenticate")?.includes("https://mcp.example/.well-known/"));
  assertThrows(
    () => new McpServer({ name: "s", version: "1", allowedOrigins: ["*"] }),
    ConfigurationError,
  );
});

Deno.test("security B2: one request id in two sessions is two requests, and cancels one", async () => {
  const { server, hooks } = createFixture({ secret: SECRET, auth });
  const [ada, bob] = [await openSession(server, ADA), await openSession(server, BOB)];
  const slow = { id: 7, method: "tools/call", params: { name: "slow", arguments: { ms: 60_000 } } };
  const cancel = { method: "notifications/cancelled", params: { requestId: 7 } };
  const pending = [[ada, ADA], [bob, BOB]].map(([id, token]) =>
    statusOf(server.fetch(legacyRequest(id!, { message: slow, token })))
  );
  while (hooks.inFlight < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await statusOf(server.fetch(legacyRequest(ada, { message: cancel, token: ADA })));
  assertEquals([await pending[0], hooks.aborted], [202, ["slow"]]);
  const foreign = legacyRequest(bob, { message: cancel, token: ADA });
  assertEquals(await statusOf(server.fetch(foreign)), 404);
  assertEquals([hooks.inFlight, hooks.aborted], [1, ["slow"]]);
  await statusOf(server.fetch(legacyRequest(bob, { message: cancel, token: BOB })));
  await pending[1];
});

Deno.test("security B3: a sealed id has at most 200 visible characters, none of them the client's", async () => {
  const { server } = createFixture({ secret: SECRET, auth });
  const message = {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { experimental: { PLANTED: { text: "PLANTED".repeat(1000) } } },
      clientInfo: { name: "PLANTED", version: "PLANTED" },
    },
  };
  const response = await server.fetch(legacyRequest(null, { message, token: ADA }));
  await response.body?.cancel();
  const id = response.headers.get("mcp-session-id")!;
  assert(/^[\x21-\x7E]{1,200}$/.test(id));
  const bytes = atob(id.replaceAll("-", "+").replaceAll("_", "/"));
  assert(!bytes.includes("PLANTED") && !bytes.includes("ada"));
});

Deno.test("security B4: an end is heard within 30 s without a broker, and its marks are bounded", async () => {
  const clock = fakeClock();
  const stores = memoryStore({ clock });
  const options = { secret: SECRET, auth, stores, clock };
  const [first, second] = [createFixture(options).server, createFixture(options).server];
  const id = await openSession(first, ADA);
  const ask = (token: string) => statusOf(second.fetch(legacyRequest(id, { token })));
  assertEquals([await ask(ADA), await ask(BOB)], [200, 404]); // remembered, and compared all the same
  await statusOf(first.fetch(legacyRequest(id, { verb: "DELETE", token: ADA })));
  assertEquals(await ask(ADA), 200);
  clock.advance(30_000);
  assertEquals(await ask(ADA), 404);
  const before = stores.size;
  for (let i = 0; i < 1100; i++) {
    const id = await openSession(first, ADA);
    await statusOf(first.fetch(legacyRequest(id, { verb: "DELETE", token: ADA })));
  }
  assertEquals(stores.size - before, 999); // with the first one, a thousand
  for (let i = 0; i < 10; i++) {
    const id = await openSession(first);
    await statusOf(first.fetch(legacyRequest(id, { verb: "DELETE" })));
  }
  assertEquals(stores.size - before, 999); // anonymous sessions write none
});

Deno.test("security B5: secrets are long, rotate, and open nothing of another server", async () => {
  for (const secret of ["x".repeat(31), [], [SECRET, "short"]]) {
    assertThrows(() => new McpServer({ name: "s", version: "1", secret }), ConfigurationError);
  }
  const other = "another secret of more than thirty-two bytes";
  const serve = (options: Partial<ServerOptions>) =>
    createFixture({ log: () => {}, ...options }).server;
  const id = await openSession(serve({ secret: SECRET }));
  const ask = (options: Partial<ServerOptions>) =>
    statusOf(serve(options).fetch(legacyRequest(id)));
  assertEquals(await ask({ secret: [other, SECRET] }), 200);
  assertEquals(await ask({ secret: other }), 404);
  assertEquals(await ask({ secret: SECRET, name: "other" }), 404);
  assertEquals(await ask({ secret: SECRET, publicUrl: "https://mcp.example/" }), 404);
  const without = serve({});
  const opened = await without.fetch(legacyRequest(null, {
    message: { id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } },
  }));
  assertEquals(opened.headers.get("mcp-session-id"), null); // nothing is offered silently
  await opened.body?.cancel();
});

Deno.test("security B6: no token that the issuer did not sign for us is taken, wherever it stands", async () => {
  const publicUrl = "https://mcp.example/mcp";
  const issuer = await createJwtIssuer(publicUrl);
  const server = new McpServer({
    name: "s",
    version: "1",
    publicUrl,
    auth: jwtAuth({ issuer: issuer.issuer, fetch: issuer.fetch }),
    log: () => {},
  });
  const good = await issuer.sign();
  const claims = { iss: issuer.issuer, aud: publicUrl, sub: "ada" };
  const bad = [
    new UnsecuredJWT(claims).setExpirationTime("1h").encode(),
    await issuer.sign({ aud: "https://other.example" }),
    await issuer.sign({ sub: undefined }),
    await issuer.sign({}, { jku: "https://evil.example/keys" }),
    `${good.slice(0, -4)}AAAA`,
    `${good}${"A".repeat(8192)}`,
  ];
  const ask = async (token: string, url: string = publicUrl) =>
    (await send(server, {
      method: "server/discover",
      url,
      headers: { authorization: `Bearer ${token}` },
    })).status;
  for (const token of bad) assertEquals(await ask(token), 401);
  assertEquals((await send(server, { url: `${publicUrl}?access_token=${good}` })).status, 401);
  assertEquals([await ask(good), await ask(good)], [200, 200]);
  assert(!issuer.asked.some((url) => url.includes("evil")));
  assertThrows(() => jwtAuth({ issuer: "" }), ConfigurationError);
});

Deno.test("security B9: no header moves a caller to another count, and an IPv6 network is one", async () => {
  const limits = { perCaller: { rateLimits: tokenBucket({ capacity: 1, refillPerSecond: 1e-6 }) } };
  const { server } = createFixture({ limits });
  const from = (hostname: string) => ({ remoteAddr: { transport: "tcp", hostname, port: 1 } });
  const ask = async (address: string, headers: McpInput["headers"] = {}) =>
    (await send(server, { headers }, from(address))).message?.error?.code;
  assertEquals(await ask("192.0.2.1"), undefined);
  for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip"]) {
    assertEquals(await ask("192.0.2.1", { [name]: "198.51.100.7" }), -32005, name);
  }
  assertEquals(await ask("::ffff:192.0.2.1"), -32005);
  assertEquals(await ask("2001:db8:0:1::1"), undefined);
  assertEquals(await ask("2001:db8:0:1:ffff::2"), -32005);
  assertEquals(await ask("2001:db8:0:2::1"), undefined);
});

Deno.test("security B13: a flood of problems, levels or bytes costs its sender a short answer", async () => {
  const { server } = createFixture({ maxBodyBytes: 200_000, log: () => {} });
  server.tool("many", {
    ...open,
    input: jsonSchema<{ list: readonly string[] }>({
      type: "object",
      properties: { list: { type: "array", items: { type: "string", pattern: "^(a+)+$" } } },
    }),
  }, () => "never");
  const flood = await send(server, callOf("many", { list: Array(20_000).fill(1) }));
  assertEquals([flood.status, flood.message?.result.isError], [200, true]);
  assert(flood.text.length < 40_000, `${flood.text.length}`);
  const start = performance.now();
  await send(server, callOf("many", { list: [`${"a".repeat(70_000)}!`] }));
  assert(performance.now() - start < 5000);
  const deep = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
  const nested = await send(server, {
    body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`,
  });
  assertEquals([nested.status, nested.message?.error?.code], [400, -32600]);
  assertEquals((await send(server, { body: "x".repeat(200_001) })).status, 413);
  assertEquals((await send(server, { headers: { "content-encoding": "gzip" } })).status, 415);
  assertEquals((await send(server, {})).status, 200);
});

Deno.test("security B15: __proto__ is an unknown argument, and names of Object are no tools", async () => {
  const { server } = createFixture();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assertEquals((await send(server, callOf(name))).message?.error?.code, -32602);
    assertEquals((await send(server, { method: name })).message?.error?.code, -32601);
  }
  const planted = '{"text":"a","__proto__":{"polluted":true}}';
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "echo",
      arguments: "PLANTED",
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }).replace('"PLANTED"', planted);
  const headers = { "mcp-method": "tools/call", "mcp-name": "echo" };
  const { message } = await send(server, { method: "tools/call", body, headers });
  assertEquals(message?.result.isError, true);
  assertEquals(({} as { polluted?: unknown }).polluted, undefined);
});

Deno.test("security B16: no id, token or text of a caller breaks out of its frame", async () => {
  const { server } = createFixture({ sessions: "stored", broker: memoryBroker(), replay: {} });
  const text = 'a\u2028b\u2029c\u0085d\r\n\r\nevent: x\ndata: {"jsonrpc":"2.0"}\n\n</script>';
  const { text: body, message } = await send(server, { ...callOf("echo", { text }), id: text });
  assertEquals([message?.id, message?.result.content[0].text], [text, text]);
  assert(!/[\r\n\u0085\u2028\u2029]/.test(body));
  const meta = { progressToken: text };
  const progress = await send(server, { ...callOf("progress", { values: [1] }), meta });
  assertEquals(progress.headers.get("content-type"), "text/event-stream");
  assertEquals(progress.notifications.map(({ params }) => params.progressToken), [text]);
  const id = await openSession(server);
  const stream = await listen(server, id);
  await server.notify(id, { method: "notifications/message", params: { text } });
  const event = await stream.nextMessage();
  assert(/^[0-9]+$/.test(event!.id!));
  assertEquals(JSON.parse(event!.json).params.text, text);
  await stream.leave();
  await server.close();
});

Deno.test("security B17: what callers send is in no event, and no credential in the pool", async () => {
  const events: unknown[] = [];
  const pools: string[] = [];
  const { server } = createFixture({
    auth,
    secret: SECRET,
    logLevel: "debug",
    log: ({ cause: _, ...event }) => void events.push(event),
  });
  server.tool("look", { ...open, reads: { text: param.string() } }, ({ request, token, user }) => {
    pools.push(JSON.stringify([request?.url, token, user]));
    for (const name of ["authorization", "cookie", "mcp-session-id"]) {
      pools.push(String(request?.header(name)));
    }
    throw new Error("broken");
  });
  const session = await openSession(server, ADA);
  const message = { id: 1, ...callOf("look", { text: "PLANTED" }) };
  await statusOf(server.fetch(legacyRequest(session, {
    message,
    token: ADA,
    headers: { cookie: "PLANTED=1" },
  })));
  await send(server, { headers: { authorization: "Bearer PLANTED-PLANTED-PLANTED" } });
  await send(server, callOf("echo", { PLANTED: 1 }));
  const seen = JSON.stringify([events, pools]);
  for (const planted of ["PLANTED", ADA, session]) assert(!seen.includes(planted), planted);
  assert(seen.includes("call.fault"));
});

Deno.test("security B18: unknown, foreign, ended and forged sessions are one answer", async () => {
  const clock = fakeClock();
  const { server } = createFixture({
    secret: SECRET,
    auth,
    clock,
    sessionMaxAgeMs: 1000,
    log: () => {},
  });
  const [bobs, ended, old] = [
    await openSession(server, BOB),
    await openSession(server, ADA),
    await openSession(server, ADA),
  ];
  await statusOf(server.fetch(legacyRequest(ended, { verb: "DELETE", token: ADA })));
  const answers = new Set<string>();
  const look = async (id: string, verb: string) => {
    const response = await server.fetch(legacyRequest(id, { token: ADA, verb }));
    answers.add(JSON.stringify([response.status, ...response.headers, await response.text()]));
  };
  await look(bobs, "DELETE");
  clock.advance(1000);
  for (const id of [old, ended, bobs, "x", `${old.slice(0, -4)}AAAA`]) await look(id, "DELETE");
  assertEquals(answers.size, 1);
  assert([...answers][0]!.startsWith("[404,"));
});

Deno.test("security B19: CORS names one origin and a fixed set of headers, never credentials", async () => {
  const { server } = createFixture({ allowedOrigins: ["https://app.example"], auth: deny });
  const origin = "https://app.example";
  const preflight = await server.fetch(
    new Request("http://localhost/mcp", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, mcp-param-n, x-evil, mcp-param-a\tb",
      },
    }),
  );
  assertEquals(preflight.status, 204); // before anyone authenticates
  const allowed = preflight.headers.get("access-control-allow-headers")!.split(", ");
  assertEquals(allowed.filter((name) => /evil|param/.test(name)), ["mcp-param-n"]);
  const { headers, status } = await send(server, { headers: { origin } });
  assertEquals([status, headers.get("access-control-allow-origin")], [401, origin]);
  assertEquals(headers.get("access-control-allow-credentials"), null);
  assertEquals(
    headers.get("access-control-expose-headers"),
    "Mcp-Session-Id, WWW-Authenticate, Retry-After, MCP-Protocol-Version",
  );
  assertEquals((await send(server, {})).headers.get("vary"), "Origin");
});

const deny = { authenticate: () => null };

Deno.test("security B20: no variable of a URI climbs, however it is written", async () => {
  const seen: unknown[] = [];
  const server = new McpServer({ name: "s", version: "1", log: () => {} });
  const select = ({ args }: { args: object }) => (seen.push(args), "ok");
  const reads = { path: param.string() };
  const spec = selectorSpec({ kind: "retrieve", reads, permissions: [unrestricted], select });
  server.registerResource(spec, {
    uri: "one://{path}",
    name: "one",
    encoding: "text",
    mimeType: "text/plain",
  });
  server.registerResource(spec, {
    uri: "all://{+path}",
    name: "all",
    encoding: "text",
    mimeType: "text/plain",
  });
  const ask = async (uri: string) =>
    (await send(server, { method: "resources/read", params: { uri } })).message?.error?.code;
  for (
    const path of [
      "..",
      ".",
      "%2e%2e",
      "..%2fetc",
      "..%5Cetc",
      "a%00",
      "%ZZ",
      "a%2F..%2Fb",
      "a\\..\\b",
    ]
  ) {
    assertEquals([path, await ask(`one://${path}`)], [path, -32602]);
    assertEquals([path, await ask(`all://a/${path}`)], [path, -32602]);
  }
  assertEquals([await ask("one://%252e%252e"), seen], [undefined, [{ path: "%2e%2e" }]]); // once
});

Deno.test("security B22: a stranger's trace is not continued, and what he makes up is no label", async () => {
  const spans: { readonly name: string; readonly attributes: unknown; readonly links: unknown }[] =
    [];
  const parents: Context[] = [];
  const span = {
    setAttribute: () => span,
    setAttributes: () => span,
    setStatus: () => span,
    recordException: () => {},
    end: () => {},
    spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
  };
  const tracerProvider = {
    getTracer: () => ({
      startSpan: (name: string, options: object, parent: Context) => {
        spans.push({ name, ...options } as typeof spans[0]);
        parents.push(parent);
        return span;
      },
    }),
  };
  const { server } = createFixture({ around: [otel({ tracerProvider })] });
  const meta = {
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    baggage: "PLANTED=1",
  };
  await send(server, { ...callOf("PLANTED-name", {}), meta });
  assertEquals(spans[0]!.name, "tools/call (unknown)");
  assert(!/PLANTED|0af7651916cd43dd/.test(JSON.stringify(spans)));
  assertEquals(trace.getSpanContext(parents[0]!), undefined);
  assertEquals(propagation.getBaggage(parents[0]!), undefined);
});
