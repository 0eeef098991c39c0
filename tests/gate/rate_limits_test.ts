/** Limits through the front door, in both eras. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  authenticated,
  type Authenticator,
  ConfigurationError,
  fixedWindow,
  McpServer,
  param,
  type PermissionCheck,
  type RateLimiter,
  selectorSpec,
  type ServerOptions,
  tokenBucket,
  unrestricted,
} from "@limen/mcp";
import type { MemoryStore } from "../../src/stores/memory_store.ts";
import { memoryStore } from "../../src/stores/memory_store.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { type Answer, readAnswer } from "../_support/read_answer.ts";
import { assertSound } from "../_support/wire_sheet.ts";

const ERAS = ["modern", "legacy"] as const;
type Era = (typeof ERAS)[number];

interface Sent {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: number | null;
}

function requestOf(era: Era, sent: Sent): Request {
  if (era === "modern") return mcpRequest("modern", sent);
  const { method = "tools/list", params = {}, headers = {}, id = 1 } = sent;
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...(id === null ? {} : { id }), method, params }),
  });
}

/** What Deno passes beside a request from an address. */
function from(hostname: string): object {
  return { remoteAddr: { transport: "tcp", hostname, port: 1 } };
}

type Send = (sent: Sent, platform?: object) => Promise<Answer>;

function sender(server: McpServer, era: Era): Send {
  return async (sent, platform = from("192.0.2.1")) =>
    await readAnswer(await server.fetch(requestOf(era, sent), platform));
}

const call = (name: string, args: object = {}): Sent => ({
  method: "tools/call",
  params: { name, arguments: args },
});

const NEVER_AGAIN = 100_000_000;
const once = tokenBucket({ capacity: 1, refillPerSecond: 1e-7 });
const base = { name: "s", version: "1" };

/** Counts what it was asked, and refuses for so many seconds. */
function watch(waits?: number): { readonly limiter: RateLimiter; asked: number } {
  const watched = {
    asked: 0,
    limiter: {
      consume: () => {
        watched.asked++;
        return waits;
      },
    },
  };
  return watched;
}

/** Takes the name for the token; `Bearer bad` and no token at all are nobody's. */
const byName: Authenticator = {
  authenticate: (request) => {
    const id = request.headers.get("authorization")?.slice("Bearer ".length) ?? "bad";
    return id === "bad" ? null : { user: { id, authenticated: true }, token: { scopes: [] } };
  },
};
const later: PermissionCheck = { hasPermission: () => Promise.resolve(true) };

const as = (name: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { authorization: `Bearer ${name}` },
});

function assertLimited(answer: Answer, retryAfter: number, method: string): void {
  assertSound(answer, method);
  assertEquals(answer.status, 200, answer.text);
  assertEquals(answer.message?.id, 1);
  assertEquals(answer.message?.error, {
    code: -32005,
    message: "Rate limit exceeded",
    data: { retryAfter },
  });
  assertEquals(answer.headers.get("retry-after"), String(retryAfter));
  assertEquals(answer.headers.get("www-authenticate"), null);
}

for (const era of ERAS) {
  Deno.test(`${era}: a tool over its limit is refused with -32005 on HTTP 200 (RL-2)`, async () => {
    const server = new McpServer(base);
    const ran: string[] = [];
    const options = { description: "T.", effect: "act", permissions: [unrestricted] } as const;
    for (const name of ["a", "b"]) {
      server.tool(name, { ...options, rateLimits: once }, () => void ran.push(name));
    }
    const send = sender(server, era);
    assertEquals((await send(call("a"))).status, 200);
    assertLimited(await send(call("a")), 10_000_000, "tools/call");
    assertLimited(await send(call("a")), 10_000_000, "tools/call");
    assertEquals((await send(call("b"))).message?.error, undefined); // a quota of its own
    assertEquals((await send(call("a"), from("192.0.2.2"))).message?.error, undefined);
    assertEquals(ran, ["a", "b", "a"]);
    assertEquals((await send({})).message?.error, undefined); // a listing is no call
  });

  Deno.test(`${era}: the gate charges after scopes and permissions, and once (A-22, RL-2)`, async () => {
    const server = new McpServer({ ...base, log: () => {} });
    const { limiter } = watch();
    const counted = watch();
    const refusing = watch(7.2);
    const options = { description: "T.", effect: "act", permissions: [unrestricted] } as const;
    const rateLimits = counted.limiter;
    server.tool("scoped", { ...options, scopes: "x", rateLimits }, () => 1);
    server.tool("denied", { ...options, permissions: [authenticated], rateLimits }, () => 1);
    server.tool(
      "slow",
      { ...options, permissions: [later], rateLimits },
      () => 1,
    );
    server.tool("strict", { ...options, reads: { n: param.integer() }, rateLimits }, () => 1);
    server.tool("fails", { ...options, rateLimits }, () => {
      throw new Error("no");
    });
    server.tool(
      "many",
      { ...options, rateLimits: [limiter, refusing.limiter, counted.limiter] },
      () => 1,
    );
    const send = sender(server, era);
    const asked = async (sent: Sent): Promise<number> => {
      const before = counted.asked;
      await send(sent);
      return counted.asked - before;
    };
    assertEquals(await asked(call("scoped")), 0);
    assertEquals(await asked(call("denied")), 0);
    assertEquals(await asked(call("missing")), 0);
    assertEquals(await asked(call("slow")), 1);
    assertEquals(await asked(call("strict", { n: "x" })), 1); // an argument failure is charged
    assertEquals(await asked(call("strict", { other: 1 })), 1);
    assertEquals(await asked(call("fails")), 1);
    assertEquals(await asked(call("many")), 0); // the first denial stops (RL-1)
    assertLimited(await send(call("many")), 8, "tools/call");
    assertEquals(refusing.asked, 2);
  });

  Deno.test(`${era}: a limiter that fails lets nobody pass`, async () => {
    const server = new McpServer({ ...base, log: () => {} });
    const broken = { consume: () => Promise.reject(new Error("The store is away")) };
    let ran = 0;
    server.tool("a", {
      description: "T.",
      effect: "act",
      permissions: [unrestricted],
      rateLimits: broken,
    }, () => ran++);
    const answer = await sender(server, era)(call("a"));
    assertEquals([answer.status, answer.message?.error.code, ran], [500, -32603, 0]);
  });

  Deno.test(`${era}: limits.perCaller counts the requests of a caller, whatever their method`, async () => {
    const rateLimits = tokenBucket({ capacity: 2, refillPerSecond: 1e-7 });
    const server = createEcho({ auth: byName, limits: { perCaller: { rateLimits } } });
    const send = sender(server, era);
    await send(as("ada"));
    await send(as("ada", call("missing")));
    assertLimited(await send(as("ada")), 10_000_000, "tools/list");
    assertLimited(await send(as("ada", { method: "no/such" })), 10_000_000, "no/such");
    assertEquals(
      (await send(as("ada", { id: null, method: "notifications/cancelled" }))).status,
      202,
    );
    assertEquals((await send(as("bob"))).message?.error, undefined);
    assertEquals((await send(as("bad"))).status, 401);
  });

  Deno.test(`${era}: limits.perCaller.maxInFlight bounds what a caller has in flight (B13)`, async () => {
    const gate = Promise.withResolvers<void>();
    const server = createEcho({ auth: byName, limits: { perCaller: { maxInFlight: 3 } } });
    const counted = watch();
    server.tool("wait", {
      description: "Waits.",
      effect: "read",
      permissions: [unrestricted],
      rateLimits: counted.limiter,
    }, () => gate.promise);
    const send = sender(server, era);
    const pending = [1, 2, 3].map(() => send(as("ada", call("wait"))));
    await settle();
    assertLimited(await send(as("ada", call("wait"))), 1, "tools/call");
    assertLimited(await send(as("ada")), 1, "tools/list");
    assertEquals(counted.asked, 3); // who is refused is not charged
    assertEquals((await send(as("bob", call("echo")))).message?.error, undefined);
    gate.resolve();
    for (const answer of await Promise.all(pending)) assertEquals(answer.message?.error, undefined);
    assertEquals((await send(as("ada", call("wait")))).message?.error, undefined);
  });

  Deno.test(`${era}: limits.maxInFlight bounds what all have in flight, with 503 (B13)`, async () => {
    const gate = Promise.withResolvers<void>();
    const events: string[] = [];
    const server = createEcho({
      auth: byName,
      limits: { maxInFlight: 3, perCaller: { maxInFlight: 2 } },
      log: ({ event }) => void events.push(event),
    });
    server.tool("wait", {
      description: "Waits.",
      effect: "read",
      permissions: [unrestricted],
    }, () => gate.promise);
    const send = sender(server, era);
    const pending = ["ada", "ada", "bob"].map((name) => send(as(name, call("wait"))));
    await settle();
    const { status, headers, message } = await send(as("bob", call("echo")));
    assertEquals([status, headers.get("retry-after")], [503, "1"]);
    assertEquals(message?.error, { code: -32603, message: "The server is busy" });
    assertEquals(message?.id, 1);
    assertLimited(await send(as("ada", call("echo"))), 1, "tools/call"); // the caller's own goes first
    assertEquals(events, ["server.busy"]);
    const notified = await send(as("bob", { id: null, method: "notifications/cancelled" }));
    assertEquals(notified.status, 202);
    gate.resolve();
    for (const answer of await Promise.all(pending)) assertEquals(answer.message?.error, undefined);
    assertEquals((await send(as("bob", call("wait")))).message?.error, undefined);
  });

  Deno.test(`${era}: 20 calls in flight by default, however they end; none is left over`, async () => {
    const server = createEcho({ log: () => {} });
    server.tool("late", {
      description: "Fails late.",
      effect: "act",
      permissions: [unrestricted],
      reads: { ok: param.boolean({ required: true }) },
    }, async ({ args }) => {
      await settle();
      if (!args.ok) throw new Error("no");
    });
    const send = sender(server, era);
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, i) => send(call("late", { ok: i % 2 === 0 }))),
      );
      const limited = answers.filter(({ message }) => message?.error?.code === -32005);
      assertEquals(limited.length, 5);
      assertEquals(answers.filter(({ status }) => status === 500).length, 10);
    }
    const others = Array.from(
      { length: 25 },
      (_, i) => send(call("late", { ok: true }), from(`192.0.2.${i}`)),
    );
    for (const { message } of await Promise.all(others)) assertEquals(message?.error, undefined);
    const unknown = Array.from({ length: 25 }, () => send(call("late", { ok: true }), {}));
    for (const { message } of await Promise.all(unknown)) assertEquals(message?.error, undefined);
  });

  Deno.test(`${era}: limits.failedAuthentication shuts an address out before its token is read (B9)`, async () => {
    const failedAuthentication = tokenBucket({ capacity: 2, refillPerSecond: 1e-7 });
    let verified = 0;
    const auth: Authenticator = {
      authenticate: (request) => {
        verified++;
        return byName.authenticate(request, {});
      },
    };
    const server = createEcho({ auth, limits: { failedAuthentication } });
    const send = sender(server, era);
    for (let i = 0; i < 5; i++) assertEquals((await send(as("ada"))).message?.error, undefined);
    assertEquals((await send(as("bad"))).status, 401);
    assertEquals((await send({})).status, 401);
    assertLimited(await send(as("bad")), 10_000_000, "tools/list");
    assertEquals(verified, 8);
    assertLimited(await send(as("ada")), 10_000_000, "tools/list");
    assertEquals(verified, 8);
    const notification = await send(as("ada", { id: null, method: "notifications/initialized" }));
    assertEquals([notification.status, notification.headers.get("retry-after")], [429, "10000000"]);
    assertEquals((await send(as("ada"), from("192.0.2.2"))).message?.error, undefined);
    for (let i = 0; i < 5; i++) assertEquals((await send(as("bad"), {})).status, 401);
    assertEquals((await send(as("ada"), {})).message?.error, undefined); // one for all would shut out all
  });

  Deno.test(`${era}: an address is the proxy's word only where proxies are trusted (B9)`, async () => {
    const forwarded = (sent: Sent, text: string): Sent => ({
      ...sent,
      headers: { "x-forwarded-for": text },
    });
    for (const trustedProxies of [0, 1]) {
      const server = createEcho({ trustedProxies, limits: { perCaller: { rateLimits: once } } });
      const send = sender(server, era);
      const codes: unknown[] = [];
      for (const text of ["198.51.100.1", "198.51.100.2", "x, 198.51.100.2"]) {
        codes.push((await send(forwarded({}, text))).message?.error?.code);
      }
      assertEquals(codes, [undefined, trustedProxies === 0 ? -32005 : undefined, -32005]);
    }
  });
}

for (const era of ERAS) {
  Deno.test(`${era}: reads of a resource are limited like calls`, async () => {
    const server = createEcho({});
    const spec = selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: () => ({ open: true }),
    });
    server.registerResource(spec, { uri: "shop://hours", name: "hours", rateLimits: once });
    const send = sender(server, era);
    const read: Sent = { method: "resources/read", params: { uri: "shop://hours" } };
    assertEquals((await send(read)).message?.error, undefined);
    assertLimited(await send(read), 10_000_000, "resources/read");
    const error = assertThrows(
      () => server.registerResource(spec, { uri: "a://b", name: "b", rateLimits: [] }),
      ConfigurationError,
    );
    assertMatch(error.message, /Cannot register resource "b": rateLimits is empty/);
  });
}

Deno.test("a limit goes by the server's clock, and ends when it was said to", async () => {
  const time = { now: 1_000_000 };
  const server = new McpServer({ ...base, clock: { now: () => time.now } });
  server.tool("a", {
    description: "T.",
    effect: "read",
    permissions: [unrestricted],
    rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 60 }),
  }, () => 1);
  const send = sender(server, "modern");
  assertEquals((await send(call("a"))).message?.error, undefined);
  assertLimited(await send(call("a")), 20, "tools/call");
  time.now += 20_000;
  assertEquals((await send(call("a"))).message?.error, undefined);
});

Deno.test("two servers on one store share the quota of a caller", async () => {
  const stores: MemoryStore = memoryStore();
  const rateLimits = fixedWindow({ maxCalls: 20, perSeconds: 31_622_400 });
  const servers = [1, 2].map(() =>
    createEcho({ stores, limits: { perCaller: { rateLimits, maxInFlight: NEVER_AGAIN } } })
  );
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => sender(servers[i % 2]!, "modern")(call("echo"))),
  );
  assertEquals(answers.filter(({ message }) => message?.error === undefined).length, 20);
});

Deno.test("a tool that answers at once is served however many calls wait for their body", async () => {
  const server = createEcho({ limits: { perCaller: { maxInFlight: 1 } } });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => sender(server, "modern")(call("echo"))),
  );
  assertEquals(answers.filter(({ message }) => message?.error !== undefined), []);
});

Deno.test("a call keeps its place in flight while it streams, and gives it back", async () => {
  const server = createEcho({ limits: { perCaller: { maxInFlight: 1 } } });
  const gate = Promise.withResolvers<void>();
  server.tool("stream", {
    description: "Streams.",
    effect: "read",
    permissions: [unrestricted],
  }, async ({ progress }) => {
    progress(1);
    await gate.promise;
  });
  const request = mcpRequest("modern", { ...call("stream"), meta: { progressToken: 1 } });
  const response = await server.fetch(request, from("192.0.2.1"));
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const send = sender(server, "modern");
  assertLimited(await send(call("echo")), 1, "tools/call");
  await response.body?.cancel(); // the client leaves; the tool still runs
  assertLimited(await send(call("echo")), 1, "tools/call");
  gate.resolve();
  await settle();
  assertEquals((await send(call("echo"))).message?.error, undefined);
});

const REFUSED: readonly (readonly [options: object, message: RegExp])[] = [
  [{ limits: 5 }, /option limits must be an object/],
  [{ limits: { perUser: {} } }, /option limits.perUser is not an option/],
  [{ limits: { perCaller: { max: 1 } } }, /option limits.perCaller.max is not an option/],
  [
    { limits: { maxInFlight: 1.5 } },
    /limits.maxInFlight must be an integer/,
  ],
  [
    { limits: { perCaller: { maxInFlight: 0 } } },
    /limits.perCaller.maxInFlight must be an integer/,
  ],
  [{ limits: { perCaller: { rateLimits: [] } } }, /limits.perCaller.rateLimits is empty/],
  [
    { limits: { perCaller: { rateLimits: 5 } } },
    /limits.perCaller.rateLimits must be a rate limiter/,
  ],
  [
    { limits: { failedAuthentication: [{}] } },
    /limits.failedAuthentication must be a rate limiter/,
  ],
  [{ trustedProxies: -1 }, /option trustedProxies must be an integer of at least 0/],
  [{ trustedProxies: true }, /option trustedProxies must be a number/],
];

for (const [options, message] of REFUSED) {
  Deno.test(`new McpServer() checks its limits: ${message.source}`, () => {
    const create = () => new McpServer({ ...base, ...options } as ServerOptions);
    assertMatch(assertThrows(create, ConfigurationError).message, message);
  });
}

for (const rateLimits of [[], 5, [once, "x"], { consume: 1 }]) {
  Deno.test(`registerTool() refuses rateLimits ${JSON.stringify(rateLimits)}`, () => {
    const options = {
      description: "T.",
      effect: "read",
      permissions: [unrestricted],
      rateLimits: rateLimits as never,
    } as const;
    const error = assertThrows(
      () => new McpServer(base).tool("a", options, () => 1),
      ConfigurationError,
    );
    assertMatch(error.message, /Cannot register tool "a": rateLimits (is empty|must be a rate)/);
  });
}

function createEcho(options: Partial<ServerOptions>): McpServer {
  const server = new McpServer({ ...base, ...options });
  server.tool("echo", {
    description: "Answers.",
    effect: "read",
    permissions: [unrestricted],
  }, () => "ok");
  return server;
}

/** Lets everything that can go on do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("the sheets above send what each era takes", async () => {
  for (const era of ERAS) {
    const answer = await sender(createEcho({}), era)(call("echo"));
    assert(answer.message?.result.content[0].text === "ok", answer.text);
  }
});
