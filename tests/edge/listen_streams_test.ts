/** S-7, B11, B13, B84: how many streams there are, for how long, and that nothing is left of them. */
import { type Broker, memoryBroker, type Subscription } from "@limen/mcp/stores/memory";
import { McpServer, selectorSpec, type ServerOptions, unrestricted } from "@limen/mcp";
import { fakeClock } from "@limen/mcp/testing";
import { assert, assertEquals } from "@std/assert";
import { ListenStreams } from "../../src/edge/listen_streams.ts";
import { ListenSlots } from "../../src/gate/listen_slots.ts";
import { createLogger } from "../../src/ports/logger.ts";
import { anonymous } from "../../src/ports/principal.ts";
import { slowBroker } from "../_support/slow_broker.ts";
import { type ListenClient, listenRequest, listenTo } from "../_support/listen_client.ts";
import { ADA, as, BOB, createNotes, settle, withProcesses } from "../_support/note_server.ts";
import { readAnswer } from "../_support/read_answer.ts";
import { assertSound, watchRejections } from "../_support/wire_sheet.ts";

const TOOLS = { toolsListChanged: true };
const NOTE = { resourceSubscriptions: ["notes://1"] };

function closed(id: unknown = 1): object {
  return {
    jsonrpc: "2.0",
    id,
    result: {
      resultType: "complete",
      _meta: {
        "io.modelcontextprotocol/serverInfo": { name: "notes", version: "1.0.0" },
        "io.modelcontextprotocol/subscriptionId": id,
      },
    },
  };
}

async function refusal(server: McpServer, token: string): Promise<readonly unknown[]> {
  const answer = await readAnswer(await server.fetch(listenRequest(TOOLS, as(token))));
  assertSound(answer, "subscriptions/listen");
  const { code, message } = answer.message!.error;
  return [answer.status, code, message, answer.headers.get("retry-after")];
}

Deno.test("a caller has five streams, and then 429 with -32603 (B13)", () =>
  withProcesses(async ({ first: { server } }) => {
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => listenTo(server, TOOLS, as(ADA))),
    );
    const message = "You have too many subscriptions: end one first";
    assertEquals(await refusal(server, ADA), [429, -32603, message, "5"]);
    const bob = await listenTo(server, TOOLS, as(BOB));
    await clients[0]!.leave();
    clients[0] = await listenTo(server, TOOLS, as(ADA));
    assertEquals((await refusal(server, ADA))[0], 429);
    await clients[0]!.leave();
    // What is granted nothing takes no place.
    const nothing = await listenTo(server, {}, as(ADA));
    assertEquals(await nothing.rest(), [closed()]);
    clients[0] = await listenTo(server, TOOLS, as(ADA));
    await Promise.all([bob, ...clients].map((client) => client.leave()));
  }));

Deno.test("a process has so many streams, and then 503 with -32603 (S-7)", () =>
  withProcesses(async ({ first: { server } }) => {
    const clients = [
      await listenTo(server, TOOLS, as(ADA)),
      await listenTo(server, TOOLS, as(BOB)),
    ];
    const message = "Too many subscriptions are open: try again later";
    assertEquals(await refusal(server, BOB), [503, -32603, message, "5"]);
    await clients.pop()!.leave();
    clients.push(await listenTo(server, TOOLS, as(BOB)));
    await Promise.all(clients.map((client) => client.leave()));
  }, { maxSubscriptions: 2 }));

Deno.test("null lifts the bound of the process; callers of whom nothing is known have no other", async () => {
  const broker = memoryBroker();
  const server = new McpServer({ name: "n", version: "1", broker, maxSubscriptions: null });
  server.tool("t", { description: "d", effect: "read", permissions: [unrestricted] }, () => 1);
  const clients = await Promise.all(Array.from({ length: 120 }, () => listenTo(server, TOOLS)));
  assertEquals(await server.notifyListChanged("tools"), 1);
  for (const client of clients) {
    assertEquals((await client.next())?.method, "notifications/tools/list_changed");
    await client.leave();
  }
  await settle();
  assertEquals(broker.activeSubscriptions, 0);
});

/** Reads blocks until one is no keep-alive. */
async function untilMessage(client: ListenClient): Promise<string | undefined> {
  let block = await client.nextBlock();
  while (block === ": keepalive") block = await client.nextBlock();
  return block;
}

for (
  const [title, ms, options, token] of [
    ["its maximum age", 3_600_000, {}, ADA],
    ["the age that is set", 1000, { subscriptionMaxAgeMs: 1000 }, ADA],
    ["the expiry of the credential", 60_000, { subscriptionMaxAgeMs: null }, "short-lived"],
  ] as const
) {
  Deno.test(`a stream ends gracefully at ${title} (S-7, B11)`, async () => {
    const clock = fakeClock();
    const start = clock.now();
    const auth: NonNullable<ServerOptions["auth"]> = {
      authenticate: () => ({
        user: { id: "ada", authenticated: true },
        token: {
          scopes: [],
          ...(token === ADA ? {} : { claims: { exp: (start + 60_000) / 1000 } }),
        },
      }),
    };
    await withProcesses(async ({ first: { server }, broker }) => {
      const client = await listenTo(server, TOOLS);
      clock.advance(ms - 1);
      assertEquals(await client.nextBlock(), ": keepalive"); // and so it is still there
      clock.advance(1);
      assertEquals(JSON.parse((await untilMessage(client))!.slice(6)), closed());
      assertEquals(await client.nextBlock(), undefined);
      await settle();
      assertEquals(broker.activeSubscriptions, 0);
    }, { clock, auth, keepAliveMs: 20, ...options });
  });
}

Deno.test("an idle stream says that it lives (S-7, B51)", () =>
  withProcesses(async ({ first: { server } }) => {
    const response = await server.fetch(listenRequest(TOOLS, as(ADA)));
    assertEquals(response.headers.get("content-type"), "text/event-stream");
    assertEquals(response.headers.get("cache-control"), "no-cache");
    assertEquals(response.headers.get("x-accel-buffering"), "no");
    await response.body!.cancel();
    const client = await listenTo(server, TOOLS, as(ADA));
    for (let i = 0; i < 3; i++) assertEquals(await client.nextBlock(), ": keepalive");
    await client.leave();
  }, { keepAliveMs: 10 }));

Deno.test("grants are asked again every 300 s, without a charge, and end with what is lost (security B11)", () => {
  const clock = fakeClock();
  return withProcesses(async ({ first: { server, notes } }) => {
    const owned = await listenTo(server, NOTE, as(ADA));
    const lists = await listenTo(server, TOOLS, as(ADA));
    const passes = async (ms: number, stream: ListenClient): Promise<void> => {
      clock.advance(ms);
      assertEquals(await stream.nextBlock(), ": keepalive");
    };
    await passes(300_000, owned); // is asked about
    await passes(10, owned); // and lives
    notes.set(1, { id: 1, owner: "bob", text: "taken over" });
    await passes(299_980, owned);
    clock.advance(10);
    assertEquals(JSON.parse((await untilMessage(owned))!.slice(6)), closed());
    await passes(10, lists);
    await lists.leave();
  }, { clock, keepAliveMs: 10 });
});

Deno.test("what is asked again sees the request of the beginning (B11)", async () => {
  const clock = fakeClock();
  const seen: (string | null | undefined)[] = [];
  const broker = memoryBroker();
  const server = new McpServer({ name: "notes", version: "1.0.0", broker, clock, keepAliveMs: 10 });
  const two = Promise.withResolvers<void>();
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: ({ request, signal, progress }) => {
        progress(1);
        signal.throwIfAborted();
        seen.push(`${request?.method} ${request?.url}`, request?.header("X-Tenant"));
        seen.push(request?.header("authorization"));
        if (seen.length === 6) two.resolve();
        return 1;
      },
    }),
    { uri: "notes://1", name: "note" },
  );
  const headers = { "x-tenant": "t1", authorization: "Bearer secret" };
  const client = await listenTo(server, NOTE, { headers });
  clock.advance(300_000);
  await two.promise;
  assertEquals(seen.slice(0, 3), ["POST http://localhost/mcp", "t1", null]);
  assertEquals(seen.slice(3), seen.slice(0, 3));
  await client.leave();
});

Deno.test("a stream ends whose grant looks at the request only when it is asked again (B11)", async () => {
  const clock = fakeClock();
  const broker = memoryBroker();
  const causes: string[] = [];
  const server = new McpServer({
    name: "notes",
    version: "1.0.0",
    broker,
    clock,
    keepAliveMs: 10,
    log: ({ event, cause }) => void causes.push(`${event}: ${cause}`),
  });
  let isShared = true; // by the second time, it is for one tenant
  const trusted: boolean[] = [];
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: ({ request }) => {
        trusted.push(request === undefined);
        return isShared || (request?.header("x-tenant") ?? "t1") === "t1" ? 1 : null;
      },
    }),
    { uri: "notes://1", name: "note" },
  );
  const client = await listenTo(server, NOTE, { headers: { "x-tenant": "t2" } });
  isShared = false;
  clock.advance(300_000);
  assertEquals(await client.rest(), [closed()]);
  assertEquals(trusted, [false, false]);
  const problem = "Cannot read the request: nobody has looked at it before it was over";
  assertEquals(causes, [`subscription.grant: Error: ${problem}`]);
});

Deno.test("a stream goes on whose grant never looks at the request (B11)", async () => {
  const clock = fakeClock();
  const broker = memoryBroker();
  const server = new McpServer({ name: "notes", version: "1.0.0", broker, clock, keepAliveMs: 10 });
  let asked = 0;
  const again = [1, 2].map(() => Promise.withResolvers<void>());
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: ({ request }) => {
        again[asked++ - 1]?.resolve();
        return request === undefined ? null : 1;
      },
    }),
    { uri: "notes://1", name: "note" },
  );
  const client = await listenTo(server, NOTE);
  for (const { promise } of again) {
    clock.advance(300_000);
    await promise;
  }
  await client.leave();
});

Deno.test("who watches the same is asked about apart, and only who lost it hears no more (B11)", () => {
  const clock = fakeClock();
  return withProcesses(async ({ first: { server } }) => {
    const readers = new Set(["ada", "bob"]);
    const shared = selectorSpec({
      kind: "retrieve",
      permissions: [{ hasPermission: ({ user }) => readers.has(user.id!) }],
      select: () => 1,
    });
    server.registerResource(shared, { uri: "shared://1", name: "shared" });
    const filter = { resourceSubscriptions: ["shared://1"] };
    const ada = await listenTo(server, filter, as(ADA));
    const bob = await listenTo(server, filter, as(BOB));
    readers.delete("ada");
    clock.advance(300_000);
    assertEquals(await ada.rest(), [closed()]);
    assertEquals(await server.notifyResourceUpdated("shared://1"), 1);
    const updated = JSON.parse((await untilMessage(bob))!.slice(6));
    assertEquals(updated.method, "notifications/resources/updated");
    await bob.leave();
  }, { clock, keepAliveMs: 10 });
});

for (
  const [title, isGranted] of [
    ["rejects", () => Promise.reject(null)],
    ["throws", () => {
      throw new Error("no store");
    }],
  ] as const
) {
  Deno.test(`a stream ends whose grant ${title} when it is asked again (B11)`, async () => {
    const clock = fakeClock();
    const streams = new ListenStreams({
      broker: memoryBroker(),
      slots: new ListenSlots({ maxSubscriptions: null, maxSubscriptionsPerCaller: 5 }),
      subscriptionMaxAgeMs: null,
      keepAliveMs: 10,
      clock,
      log: createLogger(() => {}, "error"),
      writeLast: () => "last",
    });
    const request = {
      keep: () => ({ method: "POST", url: "http://localhost/", header: () => null }),
    };
    const body = await streams.open(
      {
        lists: [],
        watched: [{ name: "task:1", method: "notifications/tasks", isGranted }],
        first: "",
      },
      { id: 1, call: { caller: { user: anonymous }, host: {}, request }, acceptsStream: true },
    );
    clock.advance(300_000);
    assert(body instanceof ReadableStream);
    assertEquals((await new Response(body).text()).endsWith("\n\ndata: last\n\n"), true);
  });
}

Deno.test("B84: close() ends every stream with a result, those that are being opened too", () =>
  withProcesses(async ({ first: { server }, broker }) => {
    const clients = await Promise.all(
      ["a", 2, ""].map((id) => listenTo(server, { ...TOOLS, ...NOTE }, { ...as(ADA), id })),
    );
    const opening = listenTo(server, TOOLS, { ...as(BOB), id: "late" });
    await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
    await server.close();
    for (const [i, client] of [...clients, await opening].entries()) {
      assertEquals(await client.rest(), [closed(["a", 2, "", "late"][i])]);
    }
    await settle();
    assertEquals(broker.activeSubscriptions, 0);
  }));

Deno.test("B84: a request whose body was read and made again listens as well", () =>
  withProcesses(async ({ first: { server } }) => {
    const request = listenRequest(TOOLS, as(ADA));
    const { url, headers } = request;
    const again = new Request(url, { method: "POST", headers, body: await request.text() });
    const response = await server.fetch(again);
    const reader = response.body!.getReader();
    await reader.read();
    const second = reader.read();
    await server.notifyListChanged("tools");
    assert(new TextDecoder().decode((await second).value).includes("tools/list_changed"));
    await reader.cancel();
  }));

const LEAVING: readonly (readonly [title: string, when: "before" | "while" | "after"])[] = [
  ["before the grants are known", "before"],
  ["while the broker subscribes", "while"],
  ["after the answer, unread", "after"],
];

for (const [title, when] of LEAVING) {
  Deno.test(`a client that leaves ${title} leaves nothing behind`, () =>
    watchRejections(async () => {
      const { broker, waiting } = slowBroker();
      const { server, logged } = createNotes({ broker, maxSubscriptionsPerCaller: 1 });
      const controller = new AbortController();
      const { signal } = controller;
      const pending = server.fetch(listenRequest({ ...TOOLS, ...NOTE }, { ...as(ADA), signal }));
      if (when === "before") controller.abort();
      for (let i = 0; i < 100 && waiting.length < 2; i++) await settle();
      assertEquals(waiting.length, when === "before" ? 0 : 2);
      if (when === "while") controller.abort();
      for (const go of waiting.splice(0)) go();
      const response = await pending;
      if (when === "after") assertEquals(response.status, 200);
      await response.body?.cancel();
      for (let i = 0; i < 5; i++) await settle();
      assertEquals([broker.activeSubscriptions, logged], [0, []]);
      // Its place is free.
      const again = listenTo(server, TOOLS, as(ADA));
      for (let i = 0; i < 100 && waiting.length < 1; i++) await settle();
      waiting.pop()!();
      await (await again).leave();
      await server.close();
    }));
}

Deno.test("many clients that come and leave at any moment leave nothing behind", () =>
  watchRejections(async () => {
    const broker = memoryBroker();
    const { server } = createNotes({ broker, maxSubscriptionsPerCaller: 1000 });
    const one = async (i: number): Promise<void> => {
      const controller = new AbortController();
      const { signal } = controller;
      const pending = server.fetch(listenRequest({ ...TOOLS, ...NOTE }, { ...as(ADA), signal }));
      for (let turn = 0; turn < i % 40; turn++) await Promise.resolve();
      if (i % 2 === 0) controller.abort();
      if (i % 3 === 0) server.notifyListChanged("tools");
      if (i % 50 === 0) await settle();
      const response = await pending;
      if (i % 7 === 0) await response.body?.getReader().read();
      else await response.body?.cancel();
    };
    await Promise.all(Array.from({ length: 400 }, (_, i) => one(i)));
    await server.close();
    await settle();
    assertEquals(broker.activeSubscriptions, 0);
  }));

Deno.test("a broker that cannot subscribe is 503 with -32603, and is logged", () =>
  watchRejections(async () => {
    let fails = true;
    const inner = memoryBroker();
    const broker: Broker = {
      get activeSubscriptions() {
        return inner.activeSubscriptions;
      },
      publish: inner.publish,
      subscribe: (topics, options) =>
        fails && topics[0]!.startsWith("resource")
          ? Promise.reject(new Error("Redis is gone"))
          : inner.subscribe(topics, options),
    };
    const { server, logged } = createNotes({ broker });
    const answer = await readAnswer(
      await server.fetch(listenRequest({ ...TOOLS, ...NOTE }, as(ADA))),
    );
    assertSound(answer, "subscriptions/listen");
    assertEquals([answer.status, answer.message?.error.code], [503, -32603]);
    assertEquals(logged, ["subscription.broker"]);
    await settle();
    assertEquals(broker.activeSubscriptions, 0);
    fails = false;
    const client = await listenTo(server, NOTE, as(ADA));
    await client.leave();
  }));

Deno.test("a broker that may have lost events ends every stream gracefully (S-10)", () =>
  watchRejections(async () => {
    const subscriptions: Subscription[] = [];
    const inner = memoryBroker();
    const broker: Broker = {
      get activeSubscriptions() {
        return inner.activeSubscriptions;
      },
      publish: inner.publish,
      subscribe: async (topics, options) => {
        const subscription = await inner.subscribe(topics, options);
        subscriptions.push(subscription);
        return subscription;
      },
    };
    const { server } = createNotes({ broker });
    const clients = await Promise.all(
      [TOOLS, NOTE, { ...TOOLS, ...NOTE }].map((filter) => listenTo(server, filter, as(ADA))),
    );
    for (const subscription of subscriptions) await subscription.close(); // as a reset does
    for (const client of clients) assertEquals(await client.rest(), [closed()]);
    await settle();
    assertEquals(broker.activeSubscriptions, 0);
    const again = await listenTo(server, TOOLS, as(ADA));
    assertEquals(await server.notifyListChanged("tools"), 1);
    assertEquals((await again.next())?.method, "notifications/tools/list_changed");
    await again.leave();
  }));

Deno.test("what others publish on a topic is told only where it is an object, and logged (B16)", () =>
  withProcesses(async ({ first: { server, logged }, broker }) => {
    const client = await listenTo(server, TOOLS, as(ADA));
    const topic = "kind:notes:tools/list_changed";
    for (const payload of ["{", "[]", "null", '"}},{"']) await broker.publish(topic, payload);
    await broker.publish(topic, ' {"a" : "\u2028", "_meta": {"x": 1}} ');
    const block = await client.nextBlock();
    assertEquals(
      block,
      'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed",' +
        '"params":{"a":"\\u2028","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}',
    );
    assertEquals(logged, Array(4).fill("subscription.event"));
    await client.leave();
  }));
