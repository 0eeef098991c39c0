import { assert, assertEquals } from "@std/assert";
import {
  type Around,
  fixedWindow,
  type LogEvent,
  McpServer,
  param,
  type RefusedRequest,
  selectorSpec,
  type ServerOptions,
  ServiceError,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { fakeClock } from "@limen/mcp/testing";
import { type ClientEra, type McpInput, mcpRequest } from "./_support/mcp_request.ts";

const ADA = "the-token-of-ada-1234";
const BOB = "the-token-of-bob-1234";
const open = { description: "Tests.", effect: "read", permissions: [unrestricted] } as const;
const nobody = { hasPermission: () => false, message: "Needs a clerk" };

/** A server with sessions and two callers, and what it logs. */
function createServer(options: Partial<ServerOptions> = {}) {
  const events: LogEvent[] = [];
  const clock = fakeClock();
  const server = new McpServer({
    name: "s",
    version: "1",
    clock,
    secret: "a secret of the tests, 32 bytes long",
    auth: staticTokens([
      { token: ADA, user: { id: "ada", authenticated: true }, scopes: ["read"] },
      { token: BOB, user: { id: "bob", authenticated: true } },
    ]),
    log: (event) => events.push(event),
    ...options,
  });
  server.tool("echo", { ...open, reads: { text: param.string() } }, ({ args }) => args.text ?? "");
  server.tool("closed", { ...open, permissions: [nobody] }, () => "never");
  server.tool("refuses", open, () => {
    throw new ServiceError("The books are closed.");
  });
  server.tool("breaks", open, () => {
    throw new Error("broken");
  });
  events.length = 0;
  return { server, events, clock };
}

type Served = ReturnType<typeof createServer>;

async function send(
  { server }: Served,
  era: ClientEra,
  { headers, ...input }: McpInput = {},
): Promise<Response> {
  const request = mcpRequest(era, {
    ...input,
    headers: { authorization: `Bearer ${ADA}`, ...headers },
  });
  const response = await server.fetch(request);
  await response.body?.cancel();
  return response;
}

async function openSession(served: Served): Promise<string> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "cli\nent", version: "2.0" },
  };
  const response = await send(served, "legacy", { method: "initialize", params });
  return response.headers.get("mcp-session-id")!;
}

interface RefusalRow {
  readonly title: string;
  readonly input: McpInput;
  readonly era?: ClientEra;
  readonly level?: "warning" | "info";
  readonly fields: LogEvent["fields"];
}

// O-1, O-3: who is turned away hears little, the log hears why.
const REFUSALS: readonly RefusalRow[] = [
  {
    title: "an origin",
    input: { headers: { origin: "https://evil.example" } },
    fields: {
      refused: "origin",
      status: 403,
      because: "Origin not allowed",
      origin: "https://evil.example",
    },
  },
  {
    title: "a host",
    input: { headers: { host: "evil.example" } },
    fields: { refused: "host", status: 403, because: "Host not allowed", host: "evil.example" },
  },
  {
    title: "a missing credential",
    input: { headers: { authorization: null } },
    fields: { refused: "unauthorized", status: 401, because: "No credential was sent" },
  },
  {
    title: "a wrong credential",
    input: { headers: { authorization: "Bearer planted-secret-1" } },
    fields: { refused: "unauthorized", status: 401, because: "The token is none of the list" },
  },
  {
    title: "a revision of the modern era",
    input: {
      meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
      headers: { "mcp-protocol-version": "2099-01-01" },
    },
    fields: {
      refused: "unsupported-version",
      status: 400,
      because: "Unsupported protocol version",
      revision: "2099-01-01",
    },
  },
  {
    title: "a revision of the legacy era",
    era: "legacy",
    input: { headers: { "mcp-protocol-version": "1999-01-01" } },
    fields: {
      refused: "unsupported-version",
      status: 400,
      because: "Unsupported MCP-Protocol-Version: this server speaks 2025-11-25, 2025-06-18, and " +
        "2026-07-28 with an envelope in params._meta",
      revision: "1999-01-01",
    },
  },
  {
    title: "a missing session",
    era: "legacy",
    input: {},
    fields: {
      refused: "session-missing",
      status: 400,
      because: "Missing Mcp-Session-Id: send initialize first",
      session: "-",
    },
  },
  {
    title: "a session of nobody",
    era: "legacy",
    input: { headers: { "mcp-session-id": "planted-secret-2" } },
    fields: {
      refused: "session-unknown",
      status: 404,
      because: "The id was not sealed here, or by another secret",
      session: "planted-…",
    },
  },
  {
    title: "a body that is not JSON",
    level: "info",
    input: { body: "{planted-secret-3" },
    fields: { refused: "json", status: 400, because: "Parse error: the body is not JSON" },
  },
];

for (const { title, input, era = "modern", level = "warning", fields } of REFUSALS) {
  Deno.test(`fetch() logs at ${level} why ${title} is refused`, async () => {
    const served = createServer({ logLevel: "info", allowedHosts: ["localhost"] });
    await send(served, era, input);
    assertEquals(served.events.map(({ level, event }) => [level, event]), [
      [level, "request.refused"],
    ]);
    assertEquals(served.events[0]!.fields, fields);
  });
}

Deno.test("fetch() logs which session was expired, ended or another's: callers see one 404", async () => {
  const served = createServer({ sessionMaxAgeMs: 60_000 });
  const session = await openSession(served);
  const mine = { headers: { "mcp-session-id": session } };
  const attempts: Promise<Response>[] = [];
  attempts.push(send(served, "legacy", {
    headers: { ...mine.headers, authorization: `Bearer ${BOB}` },
  }));
  await attempts[0];
  assertEquals((await send(served, "legacy", { ...mine, verb: "DELETE" })).status, 204);
  attempts.push(send(served, "legacy", mine));
  await attempts[1];
  served.clock.advance(120_000);
  attempts.push(send(served, "legacy", mine), send(served, "legacy", { ...mine, verb: "DELETE" }));
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assertEquals(statuses, [404, 404, 404, 404]);
  assertEquals(served.events.map(({ fields }) => fields?.because), [
    "The session is another caller's",
    "The session was ended",
    "The session has expired",
    "The session has expired",
  ]);
  assertEquals(served.events[0]!.fields?.session, `${session.slice(0, 8)}…`);
});

Deno.test("fetch() logs why a stored session is none of the caller's (O-3)", async () => {
  const served = createServer({ sessions: "stored" });
  const session = await openSession(served);
  const other = { "mcp-session-id": session, authorization: `Bearer ${BOB}` };
  await send(served, "legacy", { headers: other });
  await send(served, "legacy", { headers: { "mcp-session-id": "nonsense" } });
  await send(served, "legacy", { verb: "DELETE", headers: { "mcp-session-id": session } });
  await send(served, "legacy", { headers: { "mcp-session-id": session } });
  assertEquals(served.events.map(({ fields }) => fields?.because), [
    "The session is another caller's",
    "The id is none that this server gives",
    "The store has no such session: it has expired or was ended",
  ]);
});

Deno.test("fetch() logs at info which era a client chose (O-1)", async () => {
  const served = createServer({ logLevel: "info" });
  const session = await openSession(served);
  await send(served, "modern", {
    method: "server/discover",
    meta: { "io.modelcontextprotocol/clientInfo": { name: "x".repeat(100) } },
  });
  assertEquals(served.events.map(({ level, event, fields }) => [level, event, fields]), [
    ["info", "era.chosen", {
      era: "legacy",
      revision: "2025-06-18",
      session: `${session.slice(0, 8)}…`,
      client: "cli?ent 2.0",
    }],
    ["info", "era.chosen", { era: "modern", client: "x".repeat(64) }],
  ]);
});

Deno.test("fetch() logs at info why the gate refused, which the caller is not told (O-3)", async () => {
  const served = createServer({ logLevel: "info" });
  const spec = selectorSpec({ kind: "list", permissions: [unrestricted], select: () => [] });
  served.server.registerTool(spec, {
    name: "scoped",
    description: "T.",
    scopes: ["read", "write"],
  });
  served.events.length = 0;
  for (const name of ["closed", "scoped"]) {
    await send(served, "modern", { method: "tools/call", params: { name } });
  }
  assertEquals(served.events.map(({ event, fields }) => [event, fields]), [
    ["call.denied", { binding: 'tool "closed"', because: "Needs a clerk" }],
    ["call.denied", { binding: 'tool "scoped"', because: "The token lacks write" }],
  ]);
});

Deno.test("fetch() logs at debug how every call ended, how long it took and its size (O-1)", async () => {
  const served = createServer({ logLevel: "debug" });
  for (const name of ["echo", "refuses", "breaks", "closed", "absent"]) {
    await send(served, "modern", { method: "tools/call", params: { name } });
  }
  const done = served.events.filter(({ event }) => event === "call.done");
  assertEquals(done.map(({ fields }) => [fields?.name, fields?.outcome]), [
    ["echo", "complete"],
    ["refuses", "service_error"],
    ["breaks", "fault"],
    ["closed", "-32006"],
    ["absent", "-32602"],
  ]);
  assertEquals(done[0]!.fields?.bytes, '"content":[{"type":"text","text":""}]'.length);
  for (const { fields } of done) assert((fields?.durationMs as number) >= 0);
});

Deno.test("fetch() logs which resource failed, by its declared URI", async () => {
  const served = createServer({ logLevel: "debug" });
  served.server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string() },
      permissions: [unrestricted],
      select: () => {
        throw new Error("broken");
      },
    }),
    { uri: "notes://{id}", name: "note" },
  );
  const params = { uri: "notes://PLANTED", name: "made-up" };
  const headers = { "mcp-name": params.uri };
  await send(served, "modern", { method: "resources/read", params, headers });
  assertEquals(served.events.map(({ event, fields }) => [event, fields?.name]), [
    ["call.done", "notes://{id}"],
    ["call.fault", "notes://{id}"],
  ]);
});

Deno.test("fetch() tells whatever runs around methods of what they do not see, and goes on", async () => {
  const told: unknown[] = [];
  const blind: Around = (call, next) => next(call);
  const throwing = Object.assign(blind.bind(undefined), {
    refused: () => {
      throw new Error("no");
    },
  });
  const telling = Object.assign(blind.bind(undefined), {
    refused: ({ reason, status }: RefusedRequest) => void told.push([reason, status]),
  });
  const served = createServer({
    around: [blind, throwing, telling],
    limits: { perCaller: { rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 60 }) } },
  });
  await send(served, "modern");
  await send(served, "modern");
  await send(served, "modern", { headers: { authorization: "Bearer wrong" } });
  await send(served, "modern", { headers: { origin: "https://evil.example" } });
  assertEquals(told, [["rate-limited", 200], ["unauthorized", 401], ["origin", 403]]);
});

Deno.test("fetch() logs nothing of calls by default", async () => {
  const served = createServer();
  await openSession(served);
  for (const name of ["echo", "refuses", "closed", "absent"]) {
    await send(served, "modern", { method: "tools/call", params: { name } });
  }
  assertEquals(served.events, []);
});

// B17, O-2: a long mixed run with secrets wherever a client can put one.
Deno.test("no event holds an argument, a result, a token, a full id or a URI's query", async () => {
  const served = createServer({ logLevel: "debug", maxResultBytes: 2000 });
  const { server, events } = served;
  const secret = "PLANTED";
  server.tool("leaks", {
    ...open,
    reads: { n: param.integer({ required: true }), mine: param.string() },
  }, () => `${secret}-result`);
  server.registerTool(
    selectorSpec({
      kind: "list",
      reads: { tenant: param.string() },
      permissions: [unrestricted],
      select: () => [{ id: `${secret}-row` }],
    }),
    {
      name: "rows",
      description: "R.",
      paginate: true,
      serverArguments: { values: { tenant: `${secret}-bound` } },
    },
  );
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string() },
      permissions: [unrestricted],
      select: () => undefined,
    }),
    { uri: "notes://all{?id}", name: "notes", encoding: "text", mimeType: "text/plain" },
  );
  const session = await openSession(served);
  const stolen = { "mcp-session-id": session, authorization: `Bearer ${BOB}` };
  const tool = (name: string, args: object): McpInput => ({
    method: "tools/call",
    params: { name, arguments: args },
  });
  const inputs: readonly McpInput[] = [
    tool("echo", { text: `${secret}-argument` }),
    tool("echo", { text: secret.repeat(1000) }),
    tool("echo", { [`${secret}-unknown`]: 1 }),
    tool("leaks", { n: `${secret}-malformed`, mine: secret }),
    tool("leaks", { n: 1 }),
    tool("rows", { tenant: `${secret}-mine`, limit: 1_000_000 }),
    tool("closed", { a: secret }),
    tool("refuses", { a: secret }),
    { method: "resources/read", params: { uri: `notes://all?id=${secret}` } },
    { method: "tools/list", params: { cursor: secret } },
    { method: secret },
    { body: `{"${secret}"` },
    { headers: { authorization: `Bearer ${secret}-token-that-is-wrong` } },
    { headers: { "mcp-session-id": `wrong-id-${secret}` } },
    { url: `http://localhost/mcp?key=${secret}`, headers: { accept: "text/html" } },
    { meta: { "io.modelcontextprotocol/clientCapabilities": secret } },
    { headers: { "mcp-method": secret } },
  ];
  for (const era of ["modern", "legacy"] as const) {
    for (const input of inputs) {
      const headers = era === "legacy" ? { "mcp-session-id": session, ...input.headers } : {};
      await send(served, era, { ...input, headers: { ...headers, ...input.headers } });
    }
  }
  await send(served, "legacy", { headers: stolen });
  const names = new Set(events.map(({ event }) => event));
  for (
    const name of [
      "call.denied",
      "call.done",
      "era.chosen",
      "page.clamped",
      "request.refused",
      "result.too_large",
      "server_argument.dropped",
    ]
  ) {
    assert(names.has(name as never), `The run made no ${name}`);
  }
  for (const event of events) {
    const text = JSON.stringify(event);
    for (const planted of [secret, session, ADA, BOB]) {
      assert(!text.includes(planted), `${event.event} holds ${planted}: ${text}`);
    }
  }
});
