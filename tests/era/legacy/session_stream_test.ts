/** H-30 to H-34: what a legacy session is sent by GET, with two servers that stand for two processes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Authenticator, type ServerOptions, staticTokens } from "@limen/mcp";
import { type Broker, memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { createFixture, type Fixture } from "../../_support/fixture_server.ts";
import {
  legacyRequest,
  listen,
  openSession,
  type SessionInput,
} from "../../_support/legacy_session.ts";
import { until } from "../../_support/until.ts";
import { watchRejections } from "../../_support/wire_sheet.ts";

const ADA = "ada-ada-ada-ada-ada";
const BOB = "bob-bob-bob-bob-bob";
const auth = staticTokens([
  { token: ADA, user: { id: "ada", authenticated: true } },
  { token: BOB, user: { id: "bob", authenticated: true } },
]);

interface Processes {
  readonly first: Fixture;
  readonly second: Fixture;
  readonly broker: Broker;
}

/** Two servers that share a store and a broker; nothing may be left of them. */
async function withProcesses(
  options: Partial<ServerOptions>,
  run: (processes: Processes) => Promise<void>,
): Promise<void> {
  await watchRejections(async () => {
    const broker = memoryBroker();
    const clock = options.clock;
    const shared = {
      stores: memoryStore(clock === undefined ? {} : { clock }),
      broker,
      sessions: "stored",
      ...options,
    } as const;
    const [first, second] = [createFixture(shared), createFixture(shared)];
    await run({ first, second, broker });
    await Promise.all([first.server.close(), second.server.close()]);
    await settle();
    assertEquals(broker.activeSubscriptions, 0, "A subscription is left behind");
  });
}

/** Lets everything that is on its way arrive. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

function notification(n: number): { method: string; params: { n: number } } {
  return { method: "notifications/message", params: { n } };
}

function text(n: number): string {
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"n":${n}}}`;
}

interface Rung {
  readonly title: string;
  readonly session?: string | null;
  readonly options?: Partial<ServerOptions>;
  readonly input?: SessionInput;
  readonly status: number;
  readonly allow?: string;
}

const ALLOW = "GET, POST, DELETE, OPTIONS";
/** Each rung breaks everything below it as well. */
const ladder: readonly Rung[] = [
  {
    title: "a foreign origin",
    session: "gone",
    input: {
      headers: { origin: "https://evil.example", "mcp-protocol-version": "2026-07-28" },
      token: undefined,
    },
    status: 403,
  },
  {
    title: "a modern version",
    session: "gone",
    input: { headers: { "mcp-protocol-version": "2026-07-28" }, token: undefined },
    status: 405,
    allow: ALLOW,
  },
  { title: "nobody", session: "gone", input: { token: undefined }, status: 401 },
  {
    title: "nobody, without sessions",
    session: "gone",
    options: { sessions: "none" },
    input: { token: undefined },
    status: 401,
  },
  {
    title: "a server without sessions",
    session: "gone",
    options: { sessions: "none" },
    status: 405,
    allow: "POST, OPTIONS",
  },
  {
    title: "no session",
    session: null,
    input: { headers: { "mcp-protocol-version": "1" } },
    status: 405,
    allow: ALLOW,
  },
  {
    title: "a client that reads no streams",
    session: "gone",
    input: { headers: { accept: "application/json", "mcp-protocol-version": "1" } },
    status: 406,
  },
  {
    title: "a version that is not served",
    session: "gone",
    input: { headers: { "mcp-protocol-version": "1" } },
    status: 400,
  },
  { title: "an unknown session", session: "gone", status: 404 },
  { title: "another's session", input: { token: BOB }, status: 404 },
  { title: "no version", input: { headers: { "mcp-protocol-version": null } }, status: 200 },
  { title: "no Accept", input: { headers: { accept: null } }, status: 200 },
  { title: "everything right", status: 200 },
];

for (const { title, session, options = {}, input, status, allow } of ladder) {
  Deno.test(`GET with ${title} is ${status} (H-30)`, () =>
    withProcesses({ auth, ...options }, async ({ first: { server } }) => {
      const own = options.sessions === "none" ? "x" : await openSession(server, ADA);
      const id = session === undefined ? own : session;
      const request = legacyRequest(id, { verb: "GET", token: ADA, ...input });
      const response = await server.fetch(request);
      assertEquals(response.status, status);
      assertEquals(response.headers.get("allow"), allow ?? null);
      assertEquals(response.headers.get("mcp-error"), status === 404 ? "session-unknown" : null);
      await response.body?.cancel();
    }));
}

Deno.test("GET is 405 where a server has sessions and no broker, after authentication (H-30)", async () => {
  const { server } = createFixture({ auth, sessions: "stored" });
  const id = await openSession(server, ADA);
  for (const [token, status] of [[undefined, 401], [ADA, 405]] as const) {
    const response = await server.fetch(legacyRequest(id, { verb: "GET", token }));
    assertEquals(response.status, status);
    if (status === 405) assertEquals(response.headers.get("allow"), "POST, DELETE, OPTIONS");
    await response.body?.cancel();
  }
});

for (const sessions of ["sealed", "stored"] as const) {
  const secret = "a secret of more than thirty-two bytes";
  Deno.test(`A stream of a ${sessions} session has its headers, its comments and its messages (H-31)`, () =>
    withProcesses({ sessions, secret, keepAliveMs: 10 }, async ({ first, second }) => {
      const id = await openSession(first.server);
      const response = await first.server.fetch(legacyRequest(id, { verb: "GET" }));
      const { headers } = response;
      assertEquals(
        ["content-type", "cache-control", "x-accel-buffering", "mcp-session-id", "vary"]
          .map((name) => headers.get(name)),
        ["text/event-stream", "no-cache", "no", null, "Origin"],
      );
      const reader = response.body!.getReader();
      const next = async () => new TextDecoder().decode((await reader.read()).value);
      assertEquals(await next(), ": stream open\n\n");
      assertEquals(await next(), ": keepalive\n\n");
      assertEquals(await second.server.notify(id, notification(1)), true);
      let got = "";
      while (got === "") got = (await next()).replaceAll(": keepalive\n\n", ""); // may come along
      assertEquals(got, `data: ${text(1)}\n\n`);
      await reader.cancel();
      await settle();
      assertEquals(await second.server.notify(id, notification(2)), false);
    }));
}

Deno.test("notify() tells whether the session listens, and reaches no other session (H-32, B2)", () =>
  withProcesses({}, async ({ first, second }) => {
    const ids = [await openSession(first.server), await openSession(first.server)] as const;
    assertEquals(await first.server.notify(ids[0], notification(0)), false);
    const streams = [
      await listen(first.server, ids[0]),
      await listen(second.server, ids[1]),
    ] as const;
    assertEquals(await first.server.notify(ids[1], notification(1)), true);
    assertEquals(await second.server.notify(ids[0], notification(2)), true);
    assertEquals(await first.server.notify("gone", notification(3)), false);
    assertEquals(await first.server.notify("x".repeat(32), notification(3)), false);
    assertEquals((await streams[0].nextMessage())?.json, text(2));
    assertEquals((await streams[1].nextMessage())?.json, text(1));
    await first.server.close();
    await second.server.close();
    for (const stream of streams) assertEquals(await stream.rest(), [": stream closed"]);
  }));

Deno.test("notify() is false without a broker, and without sessions", async () => {
  const stored = createFixture({ sessions: "stored" }).server;
  assertEquals(await stored.notify(await openSession(stored), notification(1)), false);
  assertEquals(await createFixture().server.notify("x", notification(1)), false);
});

Deno.test("notify() escapes what would break a line of the stream (B16)", () =>
  withProcesses({}, async ({ first: { server } }) => {
    const id = await openSession(server);
    const stream = await listen(server, id);
    const params = { text: "a\u2028b\u0085c\nid: 9\ud800" };
    await server.notify(id, { method: "notifications/message", params });
    const { json } = (await stream.nextMessage())!;
    assert(!/[\n\u0085\u2028]/.test(json));
    assertEquals(JSON.parse(json).params, { text: "a\u2028b\u0085c\nid: 9\ufffd" });
    await stream.leave();
  }));

for (const other of [0, 1]) {
  const where = other === 0 ? "the same process" : "another process";
  Deno.test(`A new stream in ${where} replaces the old one (H-32)`, () =>
    withProcesses({}, async ({ first, second, broker }) => {
      const id = await openSession(first.server);
      const old = await listen(first.server, id);
      const server = [first, second][other]!.server;
      const fresh = await listen(server, id);
      await settle();
      await first.server.notify(id, notification(1));
      assertEquals(await old.rest(), [": stream open", ": stream closed"]);
      assertEquals((await fresh.nextMessage())?.json, text(1));
      await fresh.leave();
      await settle();
      assertEquals(broker.activeSubscriptions, 0);
    }));
}

Deno.test("Of streams that open at once, one stays, and each message goes to it alone (H-32)", () =>
  withProcesses({}, async ({ first, second }) => {
    const id = await openSession(first.server);
    const streams = await Promise.all(
      Array.from({ length: 8 }, (_, i) => listen([first, second][i % 2]!.server, id)),
    );
    await settle();
    assertEquals(await first.server.notify(id, notification(1)), true);
    const got = Promise.all(streams.map((stream) => stream.rest()));
    await settle();
    await first.server.close();
    await second.server.close();
    const messages = (await got).flat().filter((block) => block.startsWith("data"));
    assertEquals(messages, [`data: ${text(1)}`]);
  }));

Deno.test("DELETE ends the stream of the session, in every process (H-28, B4)", () =>
  withProcesses({}, async ({ first, second }) => {
    const id = await openSession(first.server);
    const other = await openSession(first.server);
    const stream = await listen(first.server, id);
    const untouched = await listen(first.server, other);
    const response = await second.server.fetch(legacyRequest(id, { verb: "DELETE" }));
    assertEquals(response.status, 204);
    assertEquals(await stream.rest(), [": stream open", ": stream closed"]);
    await first.server.notify(other, notification(1));
    assertEquals((await untouched.nextMessage())?.json, text(1));
    await untouched.leave();
  }));

Deno.test("An anonymous sealed session that another process ended is unknown here at once (B4)", () =>
  withProcesses(
    { sessions: "sealed", secret: "a secret of more than thirty-two bytes" },
    async ({ first, second }) => {
      const id = await openSession(first.server);
      for (const { server } of [first, second]) {
        const response = await server.fetch(legacyRequest(id));
        assertEquals(response.status, 200);
        await response.body?.cancel();
      }
      await first.server.fetch(legacyRequest(id, { verb: "DELETE" }));
      await settle();
      for (const { server } of [first, second]) {
        const response = await server.fetch(legacyRequest(id));
        assertEquals(response.status, 404);
        await response.body?.cancel();
      }
    },
  ));

Deno.test("A stream ends at its maximum age (H-34)", () => {
  const clock = fakeClock();
  return withProcesses({ clock, keepAliveMs: 10 }, async ({ first: { server } }) => {
    const stream = await listen(server, await openSession(server));
    assertEquals(await stream.next(), ": stream open");
    clock.advance(3_599_000);
    assertEquals(await stream.next(), ": keepalive");
    clock.advance(1000);
    assertEquals((await stream.rest()).at(-1), ": stream closed");
  });
});

Deno.test("A stream ends when the token of its caller expires (B11)", () => {
  const clock = fakeClock();
  const expiring: Authenticator = {
    authenticate: () => ({
      user: { id: "ada", authenticated: true },
      token: { scopes: [], claims: { exp: clock.now() / 1000 + 60 } },
    }),
  };
  return withProcesses(
    { clock, keepAliveMs: 10, auth: expiring },
    async ({ first: { server } }) => {
      const stream = await listen(server, await openSession(server));
      clock.advance(61_000);
      assertEquals((await stream.rest()).at(-1), ": stream closed");
    },
  );
});

Deno.test("A caller may have two streams, and others theirs (B13)", () =>
  withProcesses({ auth }, async ({ first: { server } }) => {
    const sessions = await Promise.all([1, 2, 3].map(() => openSession(server, ADA)));
    const get = (id: string, token: string) =>
      server.fetch(legacyRequest(id, { verb: "GET", token }));
    assertEquals((await get(sessions[0]!, ADA)).status, 200);
    assertEquals((await get(sessions[1]!, ADA)).status, 200);
    const refused = await get(sessions[2]!, ADA);
    assertEquals(refused.status, 429);
    assertMatch(refused.headers.get("retry-after")!, /^[0-9]+$/);
    assertEquals((await get(await openSession(server, BOB), BOB)).status, 200);
    const again = await get(sessions[0]!, ADA); // replaces its own
    assertEquals(again.status, 200);
    await again.body!.cancel();
    assertEquals((await get(sessions[2]!, ADA)).status, 200);
    await refused.body!.cancel();
  }));

Deno.test("A process has so many streams and no more, and room again when one ends (H-34)", () =>
  withProcesses({ maxStreams: 3 }, async ({ first: { server } }) => {
    const get = async () =>
      await server.fetch(legacyRequest(await openSession(server), { verb: "GET" }));
    const open = [await get(), await get(), await get()];
    const refused = await get();
    assertEquals([refused.status, (await refused.json()).error.code], [503, -32603]);
    await open[0]!.body!.cancel();
    assertEquals((await get()).status, 200);
  }));

Deno.test("A stream that cannot be opened is a fault, and leaves no room taken", async () => {
  const broker = memoryBroker();
  let fails = true;
  const { server, hooks } = createFixture({
    sessions: "stored",
    maxStreams: 1,
    broker: {
      activeSubscriptions: 0,
      publish: (topic, payload) =>
        fails && payload.startsWith("opened")
          ? Promise.reject(new Error("down"))
          : broker.publish(topic, payload),
      subscribe: broker.subscribe,
    },
  });
  const id = await openSession(server);
  const response = await server.fetch(legacyRequest(id, { verb: "GET" }));
  assertEquals(response.status, 500);
  await response.body?.cancel();
  assertEquals(hooks.events.map(({ event }) => event), ["request.fault"]);
  assertEquals(broker.activeSubscriptions, 0);
  fails = false;
  const stream = await listen(server, id);
  await stream.leave();
  await server.close();
});

Deno.test("A broker that fails never fails notify() or DELETE, and is logged", async () => {
  const memory = memoryBroker();
  const broker: Broker = {
    activeSubscriptions: 0,
    publish: () => Promise.reject(new Error("down")),
    subscribe: memory.subscribe,
  };
  const { server, hooks } = createFixture({ sessions: "stored", broker });
  const id = await openSession(server);
  assertEquals(await server.notify(id, notification(1)), false);
  assertEquals((await server.fetch(legacyRequest(id, { verb: "DELETE" }))).status, 204);
  assertEquals(hooks.events.map(({ event }) => event).toSorted(), [
    "session.feed",
    "session.feed",
    "session.signal",
  ]);
  await server.close();
});

for (const requestId of [7, "7"] as const) {
  Deno.test(`A cancellation reaches the call of another process: ${typeof requestId} (B2)`, () =>
    withProcesses({}, async ({ first, second }) => {
      const id = await openSession(first.server);
      const stranger = await openSession(first.server);
      const other = requestId === 7 ? "7" : 7;
      const call = (id: string, requestId: unknown, ms = 10_000) =>
        second.server.fetch(legacyRequest(id, {
          message: {
            id: requestId,
            method: "tools/call",
            params: { name: "slow", arguments: { ms } },
          },
        }));
      const cancelled = call(id, requestId);
      const untouched = [call(id, other, 50), call(stranger, requestId, 50)];
      await until(() => second.hooks.inFlight === 3);
      const message = { method: "notifications/cancelled", params: { requestId } };
      const response = await first.server.fetch(legacyRequest(id, { message }));
      assertEquals(response.status, 202);
      assertEquals([(await cancelled).status, await (await cancelled).text()], [202, ""]);
      assertEquals(second.hooks.aborted, ["slow"]);
      for (const pending of untouched) {
        assertEquals((await (await pending).json()).result.content[0].text, "done");
      }
    }));
}
