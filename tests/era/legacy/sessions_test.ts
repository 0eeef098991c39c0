/** H-20 to H-28, B41, B43 and B45: sessions, sealed and stored, through the front door. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type ServerOptions, staticTokens } from "@limen/mcp";
import { memoryStore } from "@limen/mcp/stores/memory";
import { fakeClock } from "@limen/mcp/testing";
import { createFixture } from "../../_support/fixture_server.ts";
import {
  INITIALIZE,
  legacyRequest,
  openSession,
  type SessionInput,
} from "../../_support/legacy_session.ts";
import { mcpRequest } from "../../_support/mcp_request.ts";

const HOUR = 60 * 60 * 1000;
const ADA = "ada-ada-ada-ada-ada";
const BOB = "bob-bob-bob-bob-bob";
const auth = staticTokens([
  { token: ADA, user: { id: "ada", authenticated: true } },
  { token: BOB, user: { id: "bob", authenticated: true } },
]);

const KINDS: Readonly<Record<string, Partial<ServerOptions>>> = {
  sealed: { secret: "a secret of more than thirty-two bytes" },
  stored: { sessions: "stored" },
};

/** What a client can tell of an answer. */
async function look(response: Response): Promise<readonly unknown[]> {
  const { status, headers } = response;
  const text = await response.text();
  return [status, headers.get("mcp-error"), text === "" ? "" : JSON.parse(text).error?.message];
}

const MISSING = [400, "session-missing", "Missing Mcp-Session-Id: send initialize first"];
const UNKNOWN = [404, "session-unknown", "Unknown session: send initialize again"];
const UNAUTHORIZED = [401, null, "Authentication required"];

interface Row {
  readonly title: string;
  /** The session: the caller's own, or as given. Default: the own. */
  readonly session?: string | null;
  readonly input?: SessionInput;
  readonly expected: readonly unknown[];
}

const VERSION = "this server speaks 2025-11-25, 2025-06-18, and 2026-07-28 with an envelope in " +
  "params._meta";
const rows: readonly Row[] = [
  { title: "a call in its session", expected: [200, null, undefined] },
  {
    title: "the other revision of the era (H-21)",
    input: { headers: { "mcp-protocol-version": "2025-06-18" } },
    expected: [200, null, undefined],
  },
  {
    title: "no version where the session says it (H-21)",
    input: { headers: { "mcp-protocol-version": null } },
    expected: [200, null, undefined],
  },
  {
    title: "a version that is not served (H-21)",
    input: { headers: { "mcp-protocol-version": "2024-11-05" } },
    expected: [400, null, `Unsupported MCP-Protocol-Version: ${VERSION}`],
  },
  {
    title: "a version that is sent twice (H-21)",
    input: { headers: { "mcp-protocol-version": "2025-11-25, 2025-11-25" } },
    expected: [400, null, `Unsupported MCP-Protocol-Version: ${VERSION}`],
  },
  {
    title: "nobody, before the session is looked up (H-22)",
    input: { token: undefined },
    session: "gone",
    expected: UNAUTHORIZED,
  },
  {
    title: "nobody, by GET (H-22)",
    input: { token: undefined, verb: "GET" },
    session: "gone",
    expected: UNAUTHORIZED,
  },
  {
    title: "nobody, by DELETE (H-22)",
    input: { token: undefined, verb: "DELETE" },
    session: "gone",
    expected: UNAUTHORIZED,
  },
  { title: "no session (H-23, B41)", session: null, expected: MISSING },
  { title: "an unknown session (H-23, B41)", session: "gone", expected: UNKNOWN },
  { title: "an unknown session of 32 characters", session: "a".repeat(32), expected: UNKNOWN },
  { title: "an unknown session of 100 characters", session: "a".repeat(100), expected: UNKNOWN },
  { title: "a session with high bytes", session: "caf\u00e9\u00ff", expected: UNKNOWN },
  { title: "an empty session", session: "", expected: UNKNOWN },
  { title: "another's session (H-23)", input: { token: BOB }, expected: UNKNOWN },
  {
    title: "another's session, by DELETE (H-28)",
    input: { token: BOB, verb: "DELETE" },
    expected: UNKNOWN,
  },
  {
    title: "an unknown session, by DELETE (B41)",
    session: "gone",
    input: { verb: "DELETE" },
    expected: UNKNOWN,
  },
  {
    title: "no session, by DELETE (H-28)",
    session: null,
    input: { verb: "DELETE" },
    expected: [204, null, ""],
  },
  {
    title: "a modern version, by DELETE (H-16)",
    input: { verb: "DELETE", headers: { "mcp-protocol-version": "2026-07-28" } },
    expected: [405, null, "Method not allowed: send a POST"],
  },
  {
    title: "a notification in an unknown session",
    session: "gone",
    input: { message: { method: "notifications/initialized" } },
    expected: UNKNOWN,
  },
  {
    title: "a notification in its session (H-10)",
    input: { message: { method: "notifications/initialized" } },
    expected: [202, null, ""],
  },
];

for (const [kind, options] of Object.entries(KINDS)) {
  for (const { title, session, input, expected } of rows) {
    Deno.test(`A server with ${kind} sessions answers ${title} with ${expected[0]}`, async () => {
      const { server, hooks } = createFixture({ auth, ...options });
      const own = await openSession(server, ADA);
      const id = session === undefined ? own : session;
      assertEquals(
        await look(await server.fetch(legacyRequest(id, { token: ADA, ...input }))),
        expected,
      );
      const again = await server.fetch(legacyRequest(own, { token: ADA }));
      assertEquals((await look(again))[0], 200, "the session lives on");
      assertEquals(hooks.events.filter(({ level }) => level === "error"), []);
    });
  }

  Deno.test(`A server with ${kind} sessions mints its own ids (B43, H-24, H-25)`, async () => {
    const { server } = createFixture(options);
    const headers = { "mcp-session-id": "attacker" };
    const ids = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const response = await server.fetch(legacyRequest(null, { message: INITIALIZE, headers }));
      await response.body?.cancel();
      const id = response.headers.get("mcp-session-id")!;
      assertMatch(id, /^[\x21-\x7E]{32,200}$/);
      ids.add(id);
    }
    assertEquals(ids.size, 20);
    assertEquals(ids.has("attacker"), false);
  });

  Deno.test(`A server with ${kind} sessions ignores the header of a modern request (B43)`, async () => {
    const { server } = createFixture(options);
    const response = await server.fetch(
      mcpRequest("modern", { headers: { "mcp-session-id": "x" } }),
    );
    assertEquals([response.status, response.headers.get("mcp-session-id")], [200, null]);
    await response.body?.cancel();
  });

  Deno.test(`A server with ${kind} sessions ends one at DELETE, in another process as well`, async () => {
    const stores = memoryStore();
    const first = createFixture({ auth, stores, ...options }).server;
    const second = createFixture({ auth, stores, ...options }).server;
    const id = await openSession(first, ADA);
    assertEquals(await look(await first.fetch(legacyRequest(id, { token: ADA, verb: "DELETE" }))), [
      204,
      null,
      "",
    ]);
    for (const server of [first, second]) {
      assertEquals(await look(await server.fetch(legacyRequest(id, { token: ADA }))), UNKNOWN);
    }
    const again = await first.fetch(legacyRequest(id, { token: ADA, verb: "DELETE" }));
    assertEquals(await look(again), UNKNOWN);
  });

  Deno.test(`A server with ${kind} sessions ends one at its age (H-25)`, async () => {
    const clock = fakeClock();
    const { server } = createFixture({ clock, sessionMaxAgeMs: 30 * HOUR, ...options });
    const id = await openSession(server);
    assertEquals((await look(await server.fetch(legacyRequest(id))))[0], 200);
    for (let i = 0; i < 2; i++) {
      clock.advance(14 * HOUR);
      assertEquals((await look(await server.fetch(legacyRequest(id))))[0], 200);
    }
    clock.advance(2 * HOUR);
    assertEquals(await look(await server.fetch(legacyRequest(id))), UNKNOWN);
  });

  Deno.test(`A server with ${kind} sessions serves a session that another process opened`, async () => {
    const stores = memoryStore();
    const [first, second] = [1, 2].map(() => createFixture({ stores, ...options }).server);
    const id = await openSession(first!);
    assertEquals((await look(await second!.fetch(legacyRequest(id))))[0], 200);
  });

  Deno.test(`A server with ${kind} sessions opens any number on one object (B45)`, async () => {
    const { server } = createFixture(options);
    const first = await openSession(server);
    const second = await openSession(server);
    assertNotEquals(first, second);
    for (const id of [first, second]) {
      assertEquals((await look(await server.fetch(legacyRequest(id))))[0], 200);
    }
  });
}

Deno.test("A server without sessions answers every request on its own (B45, H-24)", async () => {
  const { server } = createFixture();
  for (let i = 0; i < 2; i++) {
    const response = await server.fetch(legacyRequest(null, { message: INITIALIZE }));
    assertEquals([response.status, response.headers.get("mcp-session-id")], [200, null]);
    await response.body?.cancel();
  }
  assertEquals((await look(await server.fetch(legacyRequest(null))))[0], 200);
  for (const verb of ["GET", "DELETE"]) {
    const response = await server.fetch(legacyRequest("x", { verb }));
    assertEquals([response.status, response.headers.get("allow")], [405, "POST, OPTIONS"]);
    await response.body?.cancel();
  }
});

Deno.test("Sealed and stored sessions of one server name are not each other's", async () => {
  const stores = memoryStore();
  const sealed = createFixture({ stores, ...KINDS.sealed }).server;
  const stored = createFixture({ stores, ...KINDS.stored }).server;
  assertEquals(await look(await stored.fetch(legacyRequest(await openSession(sealed)))), UNKNOWN);
  assertEquals(await look(await sealed.fetch(legacyRequest(await openSession(stored)))), UNKNOWN);
});

Deno.test("A user without an id opens no session, and shares none (H-26)", async () => {
  for (const options of Object.values(KINDS)) {
    const nameless = { authenticate: () => ({ user: { authenticated: true } }) };
    const { server, hooks } = createFixture({ ...options, auth: nameless });
    const response = await server.fetch(legacyRequest(null, { message: INITIALIZE }));
    assertEquals([response.status, response.headers.get("mcp-session-id")], [500, null]);
    await response.body?.cancel();
    assertEquals(hooks.events.map(({ event }) => event), ["call.fault"]);
  }
});

Deno.test("Stored sessions of servers with another name are not each other's (H-25)", async () => {
  const stores = memoryStore();
  const one = createFixture({ stores, ...KINDS.stored }).server;
  const other = createFixture({ stores, ...KINDS.stored, name: "other" }).server;
  assertEquals(await look(await other.fetch(legacyRequest(await openSession(one)))), UNKNOWN);
});

Deno.test("Stored sessions end when nobody uses them, and live on when somebody does (H-25)", async () => {
  const clock = fakeClock();
  const stores = memoryStore({ clock });
  const { server } = createFixture({ clock, stores, ...KINDS.stored });
  const used = await openSession(server);
  const idle = await openSession(server);
  for (const id of [used, idle]) await (await server.fetch(legacyRequest(id))).body?.cancel();
  for (let i = 0; i < 3; i++) {
    clock.advance(23 * HOUR);
    assertEquals((await look(await server.fetch(legacyRequest(used))))[0], 200);
  }
  assertEquals(await look(await server.fetch(legacyRequest(idle))), UNKNOWN);
});

Deno.test("Stored sessions that nobody uses at all make room within a minute", async () => {
  const clock = fakeClock();
  const stores = memoryStore({ clock, maxEntries: 400 });
  const { server } = createFixture({ clock, stores, ...KINDS.stored });
  const used = await openSession(server);
  assertEquals((await look(await server.fetch(legacyRequest(used))))[0], 200);
  for (let i = 1; i < 300; i++) await openSession(server);
  const refused = await server.fetch(legacyRequest(null, { message: INITIALIZE }));
  assertEquals((await look(refused))[0], 503);
  clock.advance(60_000);
  for (let i = 1; i < 300; i++) await openSession(server);
  assertEquals((await look(await server.fetch(legacyRequest(used))))[0], 200);
});

Deno.test("Stored sessions write once a minute at most, however much they are used (H-25)", async () => {
  const clock = fakeClock();
  const stores = memoryStore({ clock });
  let writes = 0;
  const counting = {
    get: (key: string) => stores.get(key),
    delete: (key: string) => stores.delete(key),
    increment: stores.increment,
    set: ((...args) => (writes++, stores.set(...args))) as typeof stores.set,
    compareAndSet: ((...args) => (
      writes++, stores.compareAndSet(...args)
    )) as typeof stores.compareAndSet,
  };
  const { server } = createFixture({ clock, stores: counting, ...KINDS.stored });
  const id = await openSession(server);
  assertEquals(writes, 1);
  for (let second = 0; second < 600; second++) {
    await (await server.fetch(legacyRequest(id))).body?.cancel();
    clock.advance(1000);
  }
  assertEquals(writes, 1 + 10);
});

Deno.test("Stored sessions hold no id and nothing that a client wrote (B3)", async () => {
  const values = new Map<string, string>();
  const stores = memoryStore();
  const set: typeof stores.set = (key, value, options) => {
    values.set(key, value);
    return stores.set(key, value, options);
  };
  const { server } = createFixture({ stores: { ...stores, set }, ...KINDS.stored });
  const message = {
    ...INITIALIZE,
    params: {
      ...INITIALIZE.params,
      capabilities: { elicitation: { form: { x: "evil" } }, experimental: { evil: {} } },
      clientInfo: { name: "evil", version: "1" },
    },
  };
  const response = await server.fetch(legacyRequest(null, { message }));
  await response.body?.cancel();
  const id = response.headers.get("mcp-session-id")!;
  assertEquals(values.size, 1);
  const [[key, value]] = [...values] as [[string, string]];
  assertMatch(key, /^session:[A-Za-z0-9_-]{43}$/);
  assertEquals(Object.keys(JSON.parse(value)), [
    "principal",
    "revision",
    "capabilities",
    "openedAt",
    "usedAt",
  ]);
  assert(!`${key}${value}`.includes("evil") && !`${key}${value}`.includes(id));
});

Deno.test("A stored session whose value cannot be read belongs to nobody (H-25)", async () => {
  for (const value of ["", "{", "null", "[]", '{"principal":"anonymous"}', '{"revision":9}']) {
    const stores = memoryStore();
    const { server, hooks } = createFixture({
      stores: { ...stores, get: () => Promise.resolve(value) },
      ...KINDS.stored,
    });
    const id = await openSession(server);
    assertEquals(await look(await server.fetch(legacyRequest(id))), UNKNOWN);
    assertEquals(hooks.events.map(({ event }) => event), ["request.refused"]);
  }
});

Deno.test("A full store refuses to open a session with 503, and keeps the others", async () => {
  const { server, hooks } = createFixture({
    stores: memoryStore({ maxEntries: 4 }),
    ...KINDS.stored,
  });
  const ids = [await openSession(server), await openSession(server), await openSession(server)];
  const response = await server.fetch(legacyRequest(null, { message: INITIALIZE }));
  assertEquals(response.headers.get("mcp-session-id"), null);
  assertEquals(await look(response), [
    503,
    null,
    "Too many sessions are open: try again later",
  ]);
  for (const id of ids) {
    assertEquals((await look(await server.fetch(legacyRequest(id))))[0], 200);
  }
  assertEquals(hooks.events, []);
});

Deno.test("A page of another origin is 403, on every verb and before anything else (H-20)", async () => {
  const { server } = createFixture({ auth, ...KINDS.stored });
  for (const verb of ["POST", "GET", "DELETE", "OPTIONS", "HEAD"]) {
    const headers = { origin: "https://evil.example" };
    const response = await server.fetch(legacyRequest("gone", { verb, headers }));
    assertEquals(response.status, 403, verb);
    await response.body?.cancel();
  }
});
