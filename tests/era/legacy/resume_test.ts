/** H-33 through the front door: a client that comes back gets what it missed. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type ServerOptions, staticTokens } from "@limen/mcp";
import { memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { createFixture } from "../../_support/fixture_server.ts";
import { legacyRequest, listen, openSession } from "../../_support/legacy_session.ts";

const ADA = "ada-ada-ada-ada-ada";
const auth = staticTokens([{ token: ADA, user: { id: "ada", authenticated: true } }], {
  allowAnonymous: true,
});
const secret = "a secret of more than thirty-two bytes";

function createPair(options: Partial<ServerOptions>) {
  const shared = { stores: memoryStore(), broker: memoryBroker(), ...options };
  return [createFixture(shared).server, createFixture(shared).server] as const;
}

function message(n: number) {
  return { method: "notifications/message", params: { n } };
}

for (const sessions of ["sealed", "stored"] as const) {
  Deno.test(`A ${sessions} session resumes in another process, from the last event it got`, async () => {
    const [first, second] = createPair({ sessions, secret, replay: {} });
    const id = await openSession(first);
    const before = await listen(first, id);
    await first.notify(id, message(1));
    const { id: last } = (await before.nextMessage())!;
    assertMatch(last!, /^[0-9]{16}$/); // B16
    await before.leave();
    assertEquals(await second.notify(id, message(2)), false);
    assertEquals(await first.notify(id, message(3)), false);

    const after = await listen(second, id, { headers: { "last-event-id": last! } });
    await first.notify(id, message(4));
    for (const n of [2, 3, 4]) {
      const { id: number, json } = (await after.nextMessage())!;
      assertEquals([Number(number), JSON.parse(json).params.n], [Number(last) + n - 1, n]);
    }
    await first.close();
    await second.close();
    assertEquals(await after.rest(), [": stream closed"]);
  });
}

for (const sessions of ["sealed", "stored"] as const) {
  for (const token of [undefined, ADA]) {
    const whose = token === undefined ? "an anonymous caller's" : "a caller's";
    Deno.test(`Nothing is recorded for ${whose} ${sessions} session that has ended`, async () => {
      const stores = memoryStore();
      const [server, other] = createPair({ sessions, secret, replay: {}, stores, auth });
      const id = await openSession(server, token);
      await (await server.fetch(legacyRequest(id, { token }))).body?.cancel();
      await server.notify(id, message(1));
      const ended = await server.fetch(legacyRequest(id, { verb: "DELETE", token }));
      assertEquals(ended.status, 204);
      const { size } = stores;
      assertEquals(await server.notify(id, message(2)), false);
      if (token !== undefined || sessions === "stored") await other.notify(id, message(3));
      assertEquals(stores.size, size);
      await server.close();
      await other.close();
    });
  }
}

Deno.test("A server whose store fails still sends to a session, and says so", async () => {
  const events: string[] = [];
  let fails = false;
  const store = memoryStore();
  const stores = {
    ...store,
    get: (key: string) => fails ? Promise.reject(new Error("gone")) : store.get(key),
  };
  const log: ServerOptions["log"] = ({ event }) => void events.push(event);
  const [server] = createPair({ sessions: "stored", replay: {}, stores, log });
  const id = await openSession(server);
  const stream = await listen(server, id);
  fails = true;
  assertEquals(await server.notify(id, message(1)), true);
  assertEquals(JSON.parse((await stream.nextMessage())!.json).params.n, 1);
  assertEquals(events, ["session.feed"]);
  await stream.leave();
  await server.close();
});

Deno.test("A stream with a record begins with a number, so that an idle one can be resumed", async () => {
  const [server] = createPair({ sessions: "stored", replay: {} });
  const id = await openSession(server);
  const idle = await listen(server, id);
  assertEquals(await idle.next(), ": stream open");
  const primer = /^id: ([0-9]{16})\ndata: $/.exec((await idle.next())!)![1]!;
  await idle.leave();
  await server.notify(id, message(1));
  const resumed = await listen(server, id, { headers: { "last-event-id": primer } });
  assertEquals(JSON.parse((await resumed.nextMessage())!.json).params.n, 1);
  await resumed.leave();
  await server.close();
});

Deno.test("A stream without a record has no numbers and replays nothing", async () => {
  const [server] = createPair({ sessions: "stored" });
  const id = await openSession(server);
  await server.notify(id, message(1));
  const stream = await listen(server, id, { headers: { "last-event-id": "0" } });
  await server.notify(id, message(2));
  const event = await stream.nextMessage();
  assertEquals(event?.id, undefined);
  assertEquals(JSON.parse(event!.json).params.n, 2);
  await stream.leave();
  await server.close();
});

Deno.test("A session gets nothing of another's record, whatever number it names (B2)", async () => {
  const [server] = createPair({ sessions: "stored", replay: {} });
  const victim = await openSession(server);
  await server.notify(victim, message(1));
  const id = await openSession(server);
  const stream = await listen(server, id, { headers: { "last-event-id": "0" } });
  await server.notify(id, message(2));
  assertEquals(JSON.parse((await stream.nextMessage())!.json).params.n, 2);
  await stream.leave();
  await server.close();
});

Deno.test("DELETE forgets what a session was sent (H-28)", async () => {
  const stores = memoryStore();
  const [server] = createPair({ sessions: "stored", replay: {}, stores });
  const id = await openSession(server);
  await server.notify(id, message(1));
  assertEquals(stores.size, 2);
  const response = await server.fetch(legacyRequest(id, { verb: "DELETE" }));
  assertEquals(response.status, 204);
  assertEquals(stores.size, 0);
  await server.close();
});

Deno.test("Messages that leave in one tick arrive in their order", async () => {
  for (const replay of [undefined, {}]) {
    const [server] = createPair({ sessions: "stored", ...(replay && { replay }) });
    const id = await openSession(server);
    const stream = await listen(server, id);
    const sending = Promise.all(
      Array.from({ length: 100 }, (_, n) => server.notify(id, message(n))),
    );
    const got: number[] = [];
    while (got.length < 100) got.push(JSON.parse((await stream.nextMessage())!.json).params.n);
    assertEquals(got, Array.from({ length: 100 }, (_, n) => n));
    assert((await sending).every(Boolean));
    await stream.leave();
    await server.close();
  }
});
