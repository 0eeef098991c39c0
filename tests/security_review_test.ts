/**
 * Attacks on what stands before a call: authenticators, sessions, stores and brokers that misbehave.
 * The rules are those of `security_test.ts`.
 */
import { assert, assertEquals } from "@std/assert";
import {
  type Around,
  type Caller,
  fixedWindow,
  McpServer,
  type ServerOptions,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import {
  type Broker,
  type KeyValueStore,
  memoryBroker,
  memoryStore,
} from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { createFixture } from "./_support/fixture_server.ts";
import { createJwtIssuer } from "./_support/jwt_issuer.ts";
import { INITIALIZE, legacyRequest, listen, openSession } from "./_support/legacy_session.ts";
import { type McpInput, mcpRequest } from "./_support/mcp_request.ts";
import { readAnswer } from "./_support/read_answer.ts";

const ADA = "the-token-of-ada-1234";
const SECRET = "a secret of more than thirty-two bytes";
const FROM = { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 } };
const auth = staticTokens([{ token: ADA, user: { id: "ada", authenticated: true } }]);
const open = { description: "Tests.", effect: "read", permissions: [unrestricted] } as const;

async function send(server: McpServer, input: McpInput) {
  return await readAnswer(await server.fetch(mcpRequest("modern", input), FROM));
}

async function statusOf(pending: Promise<Response>): Promise<number> {
  const response = await pending;
  await response.body?.cancel();
  return response.status;
}

function never(): Promise<never> {
  return new Promise(() => {});
}

type Call = Parameters<Around>[0];
type Next = Parameters<Around>[1];

/** A server whose authenticator answers anything, with one tool that asks for a scope. */
function serverOf(authenticate: () => unknown, options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({
    name: "s",
    version: "1",
    log: () => {},
    auth: { authenticate: authenticate as () => Caller },
    ...options,
  });
  server.tool("guarded", { ...open, scopes: ["read"] }, ({ user }) => user.id ?? "nobody");
  return server;
}

const GUARDED: McpInput = { method: "tools/call", params: { name: "guarded", arguments: {} } };

/** A store of which a test replaces some methods. */
function storeWith(
  replace: (store: KeyValueStore) => Partial<KeyValueStore>,
  store: KeyValueStore = memoryStore(),
): KeyValueStore {
  const { get, set, delete: remove, compareAndSet, increment } = store;
  return { get, set, delete: remove, compareAndSet, increment, ...replace(store) };
}

Deno.test("security B4: a session that ends while its mark is read anew has ended", async () => {
  const clock = fakeClock();
  let held: Promise<void> | undefined;
  const stores = storeWith(({ get }) => ({
    get: async (key) => {
      const value = await get(key);
      const wait = held;
      held = undefined;
      await wait;
      return value;
    },
  }), memoryStore({ clock }));
  const { server } = createFixture({ secret: SECRET, auth, stores, clock, log: () => {} });
  const id = await openSession(server, ADA);
  const ask = () => statusOf(server.fetch(legacyRequest(id, { token: ADA })));
  assertEquals(await ask(), 200);
  clock.advance(30_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const late = ask(); // has read that there is no mark, and has not heard of it yet
  while (held !== undefined) await new Promise((next) => setTimeout(next));
  const end = legacyRequest(id, { verb: "DELETE", token: ADA });
  assertEquals(await statusOf(server.fetch(end)), 204);
  resolve();
  assertEquals([await late, await ask()], [404, 404]);
});

Deno.test("security B4: an end that the store did not take can be asked for again", async () => {
  let isDown = true;
  const stores = storeWith(({ set }) => ({
    set: (...args) => isDown ? Promise.reject(new Error("Down")) : set(...args),
  }));
  const options = { secret: SECRET, auth, stores, log: () => {} };
  const [first, second] = [createFixture(options).server, createFixture(options).server];
  const id = await openSession(first, ADA);
  const end = () => statusOf(first.fetch(legacyRequest(id, { verb: "DELETE", token: ADA })));
  assertEquals(await end(), 500);
  isDown = false;
  assertEquals(await end(), 204);
  assertEquals(await statusOf(second.fetch(legacyRequest(id, { token: ADA }))), 404);
});

Deno.test("security B4: the end of a session ends its streams, whatever the store does", async () => {
  const stores = storeWith(() => ({ delete: () => Promise.reject(new Error("Down")) }));
  const broker = memoryBroker();
  const { server } = createFixture({ secret: SECRET, auth, stores, broker, replay: {}, log() {} });
  const id = await openSession(server, ADA);
  const stream = await listen(server, id, { token: ADA });
  const end = legacyRequest(id, { verb: "DELETE", token: ADA });
  assertEquals(await statusOf(server.fetch(end)), 204);
  await stream.rest();
  await server.close();
});

Deno.test("security B2: users whose ids become the same bytes do not share a session", async () => {
  const server = serverOf(() => ({ user: { id, authenticated: true } }), { secret: SECRET });
  let id: unknown = "x\ud800";
  const initialize = () => server.fetch(legacyRequest(null, { message: INITIALIZE }));
  for (const odd of ["x\ud800", null, { $oid: "1" }, 5]) {
    id = odd;
    assertEquals(await statusOf(initialize()), 500);
  }
  id = "ada";
  const session = await openSession(server);
  assertEquals(await statusOf(server.fetch(legacyRequest(session))), 200);
});

Deno.test("security B3: a life that an id has no room for does not come around", async () => {
  const sessionMaxAgeMs = (2 ** 32 - Math.floor(Date.now() / 1000) + 5) * 1000;
  const { server } = createFixture({ secret: SECRET, sessionMaxAgeMs });
  const session = await openSession(server);
  assertEquals(await statusOf(server.fetch(legacyRequest(session))), 200);
});

Deno.test("security B6: scopes that are no list, and users that are none, are not served", async () => {
  const user = { id: "ada", authenticated: true };
  for (const scopes of ["spread:all", "read", { includes: () => true }, undefined, null]) {
    assertEquals((await send(serverOf(() => ({ user, token: { scopes } })), GUARDED)).status, 500);
  }
  for (const odd of [null, "ada", 7]) {
    assertEquals((await send(serverOf(() => ({ user: odd })), {})).status, 500);
  }
  const token = { scopes: ["spread", "read:all", "READ"] };
  assertEquals((await send(serverOf(() => ({ user, token })), GUARDED)).status, 403);
});

Deno.test("security B6: what a caller carries no longer, no implied scope brings back", async () => {
  const caller = { user: { id: "ada", authenticated: true }, token: { scopes: ["admin"] } };
  const server = serverOf(() => caller, { implies: { admin: ["read"] } });
  assertEquals((await send(server, GUARDED)).status, 200);
  caller.user = { id: "bob", authenticated: true };
  assertEquals((await send(server, GUARDED)).message?.result.content[0].text, "bob");
  caller.token.scopes = [];
  assertEquals((await send(server, GUARDED)).status, 403);
  caller.token = { scopes: ["admin"] };
  assertEquals((await send(server, GUARDED)).status, 200);
});

Deno.test("security B6: an authenticator may answer any thenable, late as well", async () => {
  const caller = { user: { id: "ada", authenticated: true }, token: { scopes: ["read"] } };
  const answers: readonly ((take: (caller: unknown) => void) => void)[] = [
    (take) => take(caller),
    (take) => void setTimeout(() => take(caller), 5),
    (take) => take(null),
    () => {
      throw new Error("Broken");
    },
  ];
  const statuses = answers.map(async (then) =>
    (await send(serverOf(() => ({ then })), GUARDED)).status
  );
  assertEquals(await Promise.all(statuses), [200, 200, 401, 500]);
});

Deno.test("security B6: a key set without end is not read to its end", async () => {
  const publicUrl = "https://mcp.example/mcp";
  const issuer = await createJwtIssuer(publicUrl);
  let isCancelled = false;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
        cancel: () => void (isCancelled = true),
      }),
    );
  const fetch: typeof issuer.fetch = async (input) =>
    String(input) === "https://login.example/keys" ? endless() : await issuer.fetch(input);
  const { server } = createFixture({
    publicUrl,
    auth: jwtAuth({ issuer: issuer.issuer, fetch }),
    log: () => {},
  });
  const headers = { authorization: `Bearer ${await issuer.sign()}` };
  assertEquals((await send(server, { headers })).status, 500);
  assert(isCancelled);
});

Deno.test("security B13: a store that never answers holds no request, and no close()", async () => {
  const stores: KeyValueStore = {
    get: never,
    set: never,
    delete: never,
    compareAndSet: never,
    increment: never,
  };
  const rateLimits = fixedWindow({ maxCalls: 5, perSeconds: 10 });
  const serve = (options: Partial<ServerOptions>) =>
    createFixture({ stores, dispatchTimeoutMs: 30, log: () => {}, ...options }).server;
  for (const limits of [{ perCaller: { rateLimits } }, { failedAuthentication: rateLimits }]) {
    const server = serve({ limits });
    const { status, message } = await send(server, {});
    assertEquals([status, message?.id], [503, 1]);
    await server.close();
  }
  const server = serve({ sessions: "stored", broker: memoryBroker() });
  const opening = await readAnswer(
    await server.fetch(legacyRequest(null, { message: INITIALIZE })),
  );
  assertEquals(opening.message?.error?.message, "initialize took longer than 30 ms");
  for (const verb of ["POST", "GET", "DELETE"]) {
    assertEquals(await statusOf(server.fetch(legacyRequest("A".repeat(32), { verb }))), 503);
  }
  await server.close();
});

Deno.test("security B13: a broker that never answers takes no place of a stream", async () => {
  const real = memoryBroker();
  let isStuck = true;
  const opened = Promise.withResolvers<void>();
  const broker: Broker = {
    get activeSubscriptions() {
      return real.activeSubscriptions;
    },
    publish: real.publish,
    subscribe: async (topics, options) => {
      if (isStuck) await opened.promise;
      return await real.subscribe(topics, options);
    },
  };
  const options = { secret: SECRET, auth, broker, maxStreams: 1, dispatchTimeoutMs: 30, log() {} };
  const { server } = createFixture(options);
  const id = await openSession(server, ADA);
  const get = () => server.fetch(legacyRequest(id, { verb: "GET", token: ADA }));
  assertEquals(await statusOf(get()), 503);
  isStuck = false;
  const other = await openSession(server, ADA);
  const stream = await listen(server, other, { token: ADA });
  opened.resolve(); // the feed that nobody waits for any more is closed again
  while (real.activeSubscriptions > 1) await new Promise((next) => setTimeout(next, 1));
  await stream.leave();
  await server.close();
});

Deno.test("security B13: an outcome that no response can carry is a 500, not a silence", async () => {
  const error = { code: -32603, message: "Odd" };
  for (const odd of [{ status: 42 }, { challenge: { scopes: ['a"b'] } }]) {
    const { server } = createFixture({
      log: () => {},
      around: [async () => {
        await new Promise((next) => setTimeout(next, 1));
        return { type: "error", error, ...odd };
      }],
    });
    assertEquals((await send(server, {})).status, 500);
    await server.close();
  }
});

Deno.test("security B13: a bound that no timer can hold does not pass at once", async () => {
  const { server } = createFixture({ dispatchTimeoutMs: 3e9, bodyTimeoutMs: 3e9 });
  const text = await mcpRequest("modern", {
    method: "tools/call",
    params: { name: "slow", arguments: { ms: 200 } },
  }).text();
  const body = new ReadableStream({
    start: (controller) =>
      void setTimeout(() => {
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      }, 200),
  });
  const headers = { "mcp-method": "tools/call", "mcp-name": "slow" };
  const { status, message } = await send(server, { body, headers });
  assertEquals([status, message?.error], [200, undefined]);
});

Deno.test("security B13: a token of any length is not sent back a thousand times", async () => {
  const { server } = createFixture();
  const ask = async (progressToken: string) =>
    (await send(server, {
      method: "tools/call",
      params: { name: "progress", arguments: { values: [1, 2] } },
      meta: { progressToken },
    })).notifications.length;
  assertEquals([await ask("x".repeat(256)), await ask("x".repeat(257))], [2, 0]);
});

Deno.test("security B13: a log, an auditor and a counter that fail later end no process", async () => {
  const events: string[] = [];
  const fail = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error("Down"))));
  const around = Object.assign((call: Call, next: Next) => next(call), { refused: fail });
  const { server } = createFixture({
    audit: fail,
    around: [around],
    log: ({ event }) => (events.push(event), fail()),
  });
  const call: McpInput = { method: "tools/call", params: { name: "echo", arguments: {} } };
  assertEquals((await send(server, call)).status, 200);
  assertEquals((await send(server, { headers: { origin: "https://evil.example" } })).status, 403);
  while (!events.includes("audit.fault")) await new Promise((next) => setTimeout(next, 1));
  await new Promise((next) => setTimeout(next, 1)); // what fails last does so in vain
  await server.close();
});

Deno.test("security B13: to listen and to end sessions counts as any request does", async () => {
  const rateLimits = fixedWindow({ maxCalls: 2, perSeconds: 1000 });
  for (const verb of ["GET", "DELETE"]) {
    const limits = { perCaller: { rateLimits } };
    const options = { secret: SECRET, auth, broker: memoryBroker(), limits, log() {} };
    const { server } = createFixture(options);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const request = legacyRequest("guessed", { verb, token: ADA });
      const { status, headers } = await readAnswer(await server.fetch(request));
      statuses.push(status);
      assertEquals(headers.has("retry-after"), status === 429);
    }
    assertEquals(statuses, [404, 404, 429]);
    await server.close();
  }
});

Deno.test("security B18: no cache keeps a refusal for another caller", async () => {
  const { server } = createFixture({ secret: SECRET, broker: memoryBroker(), log: () => {} });
  for (
    const request of [legacyRequest("x", { verb: "GET" }), legacyRequest(null, { verb: "GET" })]
  ) {
    const { status, headers } = await readAnswer(await server.fetch(request));
    assertEquals(headers.get("cache-control"), "no-store", `${status}`);
  }
  await server.close();
});
