import { assert, assertEquals } from "@std/assert";
import { McpServer, type ServerOptions, unrestricted } from "@limen/mcp";
import { createFixture } from "./_support/fixture_server.ts";
import { type McpInput, mcpRequest } from "./_support/mcp_request.ts";
import { readAnswer } from "./_support/read_answer.ts";
import { assertSound, watchRejections } from "./_support/wire_sheet.ts";

type Event = Parameters<NonNullable<ServerOptions["log"]>>[0];

/** A server with one tool, `t`, that answers whatever the function does. */
function serverOf(run: () => unknown, options: Partial<ServerOptions> = {}) {
  const events: Event[] = [];
  const log = (event: Event): void => void events.push(event);
  const server = new McpServer({ name: "s", version: "1", log, ...options });
  server.tool("t", { description: "Tests.", effect: "act", permissions: [unrestricted] }, run);
  return { server, events };
}

const callT: McpInput = { method: "tools/call", params: { name: "t" } };

// ERR-10: `fetch` answers whatever a tool returns or throws, and a fault is masked.
const cycle: Record<string, unknown> = {};
cycle.self = cycle;
const FAULTS: readonly (readonly [title: string, run: () => unknown])[] = [
  ["answers a cycle", () => cycle],
  ["answers a bigint out of range", () => ({ n: 2n ** 64n })],
  ["answers a function", () => () => {}],
  ["answers a symbol", () => Symbol("s")],
  ["answers a Map", () => new Map([["a", 1]])],
  ["answers a Set", () => ({ inner: [new Set([1])] })],
  ["answers what its toJSON() throws", () => ({ toJSON: () => thrower(new Error("secret-text")) })],
  ["answers a getter that throws", () => ({
    get a(): never {
      return thrower(new Error("secret-text"));
    },
  })],
  ["answers a thenable that throws", () => ({ then: () => thrower(new Error("secret-text")) })],
  ["answers a thenable whose then cannot be read", () => ({
    get then(): never {
      return thrower(new Error("secret-text"));
    },
  })],
  ["answers a thenable that rejects", () => ({
    then: (_: unknown, reject: (reason: unknown) => void) => reject("secret-text"),
  })],
  ["answers a Proxy that forbids everything", () => hostileProxy({})],
  ["answers a revoked Proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }],
  ["answers a nest of 200 000 arrays", () => {
    let nest: unknown[] = [];
    for (let i = 0; i < 200_000; i++) nest = [nest];
    return nest;
  }],
  ["throws an Error", () => thrower(new Error("secret-text", { cause: "secret-cause" }))],
  ["throws undefined", () => thrower(undefined)],
  ["throws null", () => thrower(null)],
  ["throws a string", () => thrower("secret-text")],
  ["throws a cycle", () => thrower(cycle)],
  ["throws a Proxy that forbids everything", () => thrower(hostileProxy({}))],
  ["throws a frozen null object", () => thrower(Object.freeze(Object.create(null)))],
  ["rejects with null", () => Promise.reject(null)],
  ["rejects with undefined", () => Promise.reject(undefined)],
  ["rejects later", async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new TypeError("secret-text");
  }],
];

for (const [title, run] of FAULTS) {
  Deno.test(`McpServer.fetch() answers -32603 on 500 where a tool ${title}`, () =>
    watchRejections(async () => {
      const { server, events } = serverOf(run);
      const answer = await readAnswer(await server.fetch(mcpRequest("modern", callT)));
      assertSound(answer, "tools/call");
      assertEquals(answer.status, 500, answer.text);
      const { id, error } = answer.message!;
      assertEquals([id, error.code, error.message], [1, -32603, "Internal error"]);
      assertEquals(Object.keys(error.data), ["reference"]);
      assert(!answer.text.includes("secret"), answer.text);
      assertEquals(events.length, 1);
      assertEquals([events[0]!.level, events[0]!.event], ["error", "call.fault"]);
      assertEquals(events[0]!.fields?.reference, error.data.reference);
    }));
}

const VALUES: readonly (readonly [title: string, run: () => unknown, structured: unknown])[] = [
  ["undefined", () => undefined, {}],
  ["null", () => null, {}],
  ["a bigint in the safe range", () => ({ n: 9007199254740991n }), { n: 9007199254740991 }],
  ["a promise of a promise", () => Promise.resolve(Promise.resolve({ a: 1 })), { a: 1 }],
  ["a thenable", () => ({ then: (resolve: (value: unknown) => void) => resolve({ a: 1 }) }), {
    a: 1,
  }],
  ["a Date", () => ({ at: new Date(0) }), { at: "1970-01-01T00:00:00.000Z" }],
  ["an object without prototype", () => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["a Proxy", () => new Proxy({ a: 1 }, {}), { a: 1 }],
  ["zero", () => 0, 0],
  ["false", () => false, false],
  ["an empty list", () => [], []],
];

for (const [title, run, structured] of VALUES) {
  Deno.test(`McpServer.fetch() answers ${title} as structured content and as text`, async () => {
    const { server } = serverOf(run);
    const answer = await readAnswer(await server.fetch(mcpRequest("modern", callT)));
    assertSound(answer, "tools/call");
    assertEquals(answer.status, 200);
    assertEquals(answer.message?.result.structuredContent, structured);
    assertEquals(JSON.parse(answer.message?.result.content[0].text), structured);
  });
}

Deno.test("McpServer.fetch() masks a fault as a tool result where faults are tool errors", async () => {
  const { server, events } = serverOf(() => thrower(new Error("secret-text")), {
    faults: "toolError",
  });
  const answer = await readAnswer(await server.fetch(mcpRequest("modern", callT)));
  assertSound(answer, "tools/call");
  assertEquals([answer.status, answer.message?.result.isError], [200, true]);
  const { error } = JSON.parse(answer.message?.result.content[0].text);
  assertEquals([error.type, error.message], ["fault", "Internal error"]);
  assertEquals(error.reference, events[0]!.fields?.reference);
  assert(!answer.text.includes("secret"));
});

Deno.test("McpServer.fetch() ends a stream with -32603 where the tool throws", async () => {
  const events: Event[] = [];
  const log = (event: Event): void => void events.push(event);
  const server = new McpServer({ name: "s", version: "1", log });
  server.tool(
    "t",
    { description: "Tests.", effect: "act", permissions: [unrestricted] },
    async ({ progress }) => {
      progress(1);
      await undefined;
      throw new Error("secret-text");
    },
  );
  const request = mcpRequest("modern", { ...callT, meta: { progressToken: 1 } });
  const answer = await readAnswer(await server.fetch(request));
  assertSound(answer, "tools/call");
  assertEquals([answer.status, answer.notifications.length], [200, 1]);
  assertEquals(answer.message?.error.code, -32603);
  assert(!answer.text.includes("secret"));
});

for (
  const [title, options] of [
    ["the authenticator throws", {
      auth: { authenticate: () => thrower(new Error("secret-text")) },
    }],
    ["the authenticator rejects", {
      auth: { authenticate: () => Promise.reject(new Error("secret-text")) },
    }],
    ["the host context cannot be made", { host: () => thrower(new Error("secret-text")) }],
  ] as const
) {
  Deno.test(`McpServer.fetch() answers a masked 500 where ${title}`, async () => {
    const ran: string[] = [];
    const { server, events } = serverOf(() => ran.push("t"), options);
    const answer = await readAnswer(await server.fetch(mcpRequest("modern", callT)));
    assertSound(answer, "tools/call");
    assertEquals([answer.status, answer.message?.error.code, ran], [500, -32603, []]);
    assert(!answer.text.includes("secret"));
    assertEquals(events[0]!.event, "request.fault");
    assertEquals(events[0]!.fields?.reference, answer.message?.error.data.reference);
  });
}

Deno.test("McpServer.fetch() survives a log that throws", async () => {
  const { server } = serverOf(() => thrower(null), { log: () => thrower(new Error("full disk")) });
  assertEquals((await server.fetch(mcpRequest("modern", callT))).status, 500);
});

Deno.test("McpServer.fetch() hands the platform's arguments to the option host", async () => {
  const seen: unknown[] = [];
  const server = new McpServer({
    name: "s",
    version: "1",
    host: (_request, ...platform) => ({ clientAddress: "192.0.2.1", platform }),
  });
  server.tool(
    "t",
    { description: "Tests.", effect: "read", permissions: [unrestricted] },
    ({ host }) => {
      seen.push(host.clientAddress, host.platform);
      return "ok";
    },
  );
  await server.fetch(mcpRequest("modern", callT), "env", "ctx");
  assertEquals(seen, ["192.0.2.1", ["env", "ctx"]]);
});

Deno.test("McpServer.fetch() reads the client's address from Deno's info", async () => {
  const seen: unknown[] = [];
  const server = new McpServer({ name: "s", version: "1" });
  server.tool(
    "t",
    { description: "Tests.", effect: "read", permissions: [unrestricted] },
    ({ host }) => {
      seen.push(host.clientAddress);
      return "ok";
    },
  );
  const info = { remoteAddr: { transport: "tcp", hostname: "192.0.2.7", port: 1 } };
  for (const platform of [[info], ["env"], [{ remoteAddr: {} }], [null], []]) {
    await server.fetch(mcpRequest("modern", callT), ...platform);
  }
  assertEquals(seen, ["192.0.2.7", undefined, undefined, undefined, undefined]);
});

Deno.test("McpServer.fetch() is bound", async () => {
  const { fetch } = createFixture().server;
  assertEquals((await fetch(mcpRequest("modern"))).status, 200);
});

Deno.test("McpServer shows callables the request without its credentials (B17)", async () => {
  const headers = {
    authorization: "a",
    cookie: "b",
    "proxy-authorization": "c",
    "mcp-session-id": "d",
  };
  const seen: unknown[] = [];
  const server = new McpServer({ name: "s", version: "1" });
  server.tool(
    "t",
    { description: "Tests.", effect: "read", permissions: [unrestricted] },
    ({ request }) => {
      seen.push(request?.method, request?.url);
      for (const name of ["X-Trace", ...Object.keys(headers), "Mcp-Session-Id", "none"]) {
        seen.push(request?.header(name));
      }
      return "ok";
    },
  );
  await server.fetch(mcpRequest("modern", { ...callT, headers: { "x-trace": "1", ...headers } }));
  assertEquals(seen, ["POST", "http://localhost/mcp", "1", ...Array(6).fill(null)]);
});

Deno.test("new McpServer() serves every origin where hosts are restricted", async () => {
  const { server } = createFixture({ allowedOrigins: ["*"], allowedHosts: ["localhost"] });
  const statuses: number[] = [];
  for (const origin of ["https://any.example", "null"]) {
    statuses.push((await server.fetch(mcpRequest("modern", { headers: { origin } }))).status);
  }
  assertEquals(statuses, [200, 403]);
});

Deno.test("McpServer says in full who it is, where it was told", async () => {
  const server = new McpServer({
    name: "s",
    version: "1",
    title: "S",
    description: "A server.",
    websiteUrl: "https://s.example",
    icons: [{ src: "data:image/png;base64,AA==" }],
    instructions: "Ask.",
  });
  const answer = await readAnswer(
    await server.fetch(mcpRequest("modern", { method: "server/discover" })),
  );
  assertSound(answer, "server/discover");
  assertEquals(answer.message?.result.instructions, "Ask.");
  assertEquals(answer.message?.result.capabilities, {}); // no tools yet
  assertEquals(answer.message?.result._meta, {
    "io.modelcontextprotocol/serverInfo": {
      name: "s",
      version: "1",
      title: "S",
      description: "A server.",
      websiteUrl: "https://s.example",
      icons: [{ src: "data:image/png;base64,AA==" }],
    },
  });
});

Deno.test("McpServer without tools has no tool methods", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  for (const method of ["tools/list", "tools/call"]) {
    const answer = await readAnswer(await server.fetch(mcpRequest("modern", { method })));
    assertEquals([answer.status, answer.message?.error.code], [404, -32601]);
  }
});

Deno.test("McpServer warns of a tool name that model APIs refuse", () => {
  const { server, events } = serverOf(() => "ok");
  for (const name of ["a.b", "x".repeat(65), "ok_-1"]) {
    server.tool(name, { description: "T.", effect: "act", permissions: [unrestricted] }, () => "");
  }
  assertEquals(events.map(({ level, event }) => [level, event]), [
    ["warning", "ToolName"],
    ["warning", "ToolName"],
  ]);
});

Deno.test("McpServer.close() waits for the calls in flight, and refuses further ones", () =>
  watchRejections(async () => {
    const { server, hooks } = createFixture();
    const pending = server.fetch(mcpRequest("modern", {
      method: "tools/call",
      params: { name: "slow", arguments: { ms: 50 } },
    }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const order: string[] = [];
    const closings = [1, 2].map((n) => server.close().then(() => order.push(`closed ${n}`)));
    const refused = await readAnswer(await server.fetch(mcpRequest("modern")));
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assertSound(refused, "tools/list");
    assertEquals([order, hooks.inFlight], [[], 1]);
    assertEquals((await readAnswer(await pending)).status, 200);
    await Promise.all(closings);
    assertEquals(order, ["closed 1", "closed 2"]);
    await server.close(); // again, with nothing in flight
  }));

Deno.test("McpServer.close() is done at once where nothing is in flight", async () => {
  const { server } = createFixture();
  await server.close();
  assertEquals((await server.fetch(mcpRequest("modern"))).status, 503);
});

Deno.test("McpServer.close() waits for a call whose body is still arriving", () =>
  watchRejections(async () => {
    const { server, hooks } = createFixture();
    const whole = await mcpRequest("modern", {
      method: "tools/call",
      params: { name: "noargs" },
    }).arrayBuffer();
    let finish = (): void => {};
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        controller.enqueue(new Uint8Array(whole.slice(0, 20)));
        finish = () => {
          controller.enqueue(new Uint8Array(whole.slice(20)));
          controller.close();
        };
      },
    });
    const pending = server.fetch(mcpRequest("modern", {
      method: "tools/call",
      params: { name: "noargs" },
      body,
    }));
    let isClosed = false;
    const closing = server.close().then(() => isClosed = true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assertEquals(isClosed, false);
    finish();
    assertEquals((await readAnswer(await pending)).status, 200);
    await closing;
    assertEquals(hooks.ran, ["noargs"]);
  }));

function thrower(reason: unknown): never {
  throw reason;
}

/** Every trap throws. */
function hostileProxy(target: object): object {
  const trap = (): never => thrower(new Error("secret-text"));
  const names = Reflect.ownKeys(Reflect) as (keyof ProxyHandler<object>)[];
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, trap])));
}
