/** S-1 to S-8: what a modern client is granted, and what it hears. */
import { fixedWindow, selectorSpec, unrestricted } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";
import { createListen, type ListenOptions } from "../../../src/features/subscriptions/listen.ts";
import { ResourceRegistry } from "../../../src/features/resources/resource_registry.ts";
import { ListenSlots } from "../../../src/gate/listen_slots.ts";
import { createTopics } from "../../../src/features/topics.ts";
import { InProcessCall } from "../../../src/features/in_process_call.ts";
import { createLogger } from "../../../src/ports/logger.ts";
import { legacyRequest } from "../../_support/legacy_session.ts";
import { listenRequest, listenTo } from "../../_support/listen_client.ts";
import { mcpRequest } from "../../_support/mcp_request.ts";
import { ADA, as, BOB, createNotes, settle, withProcesses } from "../../_support/note_server.ts";
import { readAnswer } from "../../_support/read_answer.ts";
import { assertSound } from "../../_support/wire_sheet.ts";

const ID = "io.modelcontextprotocol/subscriptionId";
const KINDS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function acknowledged(notifications: object, id: unknown = 1): object {
  return {
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { notifications, _meta: { [ID]: id } },
  };
}

function updated(uri: string, id: unknown = 1): object {
  return {
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri, _meta: { [ID]: id } },
  };
}

const RESULT = {
  jsonrpc: "2.0",
  id: 1,
  result: {
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "notes", version: "1.0.0" }, [ID]: 1 },
  },
};

/** What Ada asks for, and what she is granted. */
const FILTERS: readonly (readonly [title: string, asked: object, granted: object])[] = [
  ["lists that there are, and no other", KINDS, {
    toolsListChanged: true,
    resourcesListChanged: true,
  }],
  ["only what is true", { toolsListChanged: 1, resourcesListChanged: "true" }, {}],
  ["what she may read, once", { resourceSubscriptions: ["notes://1", "notes://1", "notes://2"] }, {
    resourceSubscriptions: ["notes://1", "notes://2"],
  }],
  ["nothing that is malformed", {
    resourceSubscriptions: [1, null, {}, "", "no uri", "notes://x", "notes://\ud800", "notes://1"],
  }, { resourceSubscriptions: ["notes://1"] }],
  ["no list that is none", { resourceSubscriptions: "notes://1", taskIds: {} }, {}],
  ["nothing of others, and nothing that is not there", {
    resourceSubscriptions: ["notes://3", "notes://9", "other://1"],
  }, {}],
  ["nothing that fails to be read", { resourceSubscriptions: ["notes://broken"] }, {}],
  ["what her scopes open", { resourceSubscriptions: ["notes://count"] }, {
    resourceSubscriptions: ["notes://count"],
  }],
  ["nothing under inherited names", JSON.parse('{"__proto__":{"toolsListChanged":true}}'), {}],
];

for (const [title, asked, granted] of FILTERS) {
  Deno.test(`subscriptions/listen grants ${title} (S-1, S-3, S-4, S-5, B11)`, () =>
    withProcesses(async ({ first, broker }) => {
      const client = await listenTo(first.server, asked, as(ADA));
      assertEquals(client.acknowledged, acknowledged(granted));
      const isOpen = Object.keys(granted).length > 0;
      if (!isOpen) assertEquals(await client.rest(), [RESULT]); // S-5, S-6
      await client.leave();
      await settle();
      assertEquals(broker.activeSubscriptions, 0);
    }));
}

Deno.test("subscriptions/listen looks alike for what is refused and what is absent (S-3, B11)", () =>
  withProcesses(async ({ first }) => {
    const texts = await Promise.all(
      ["notes://1", "notes://9", "notes://count", "nothing://1"].map(async (uri) =>
        await (await first.server.fetch(
          listenRequest({ resourceSubscriptions: [uri] }, as(BOB)),
        )).text()
      ),
    );
    assertEquals(new Set(texts).size, 1);
  }));

Deno.test("subscriptions/listen hears what the other process changes, each with its id (S-4, S-11, S-12)", () =>
  withProcesses(async ({ first, second }) => {
    const uris = ["notes://1", "notes://2"];
    const ids = ["s1", "", 0, -1, "\u2028\ud83d"];
    const clients = await Promise.all(
      ids.map((id) =>
        listenTo(first.server, { ...KINDS, resourceSubscriptions: uris }, { ...as(ADA), id })
      ),
    );
    assertEquals(await second.server.notifyResourceUpdated("notes://2"), 1);
    await second.server.notifyListChanged("tools");
    await second.server.notifyListChanged("prompts"); // not granted: there are none
    await second.server.notifyResourceUpdated("notes://3");
    await second.server.notifyResourceUpdated("notes://1/");
    await second.server.notifyResourceUpdated("notes://1");
    for (const [i, client] of clients.entries()) {
      const id = ids[i] === "\u2028\ud83d" ? "\u2028\ufffd" : ids[i];
      assertEquals(client.acknowledged.params._meta, { [ID]: id });
      assertEquals(await client.next(), updated("notes://2", id));
      assertEquals(await client.next(), {
        jsonrpc: "2.0",
        method: "notifications/tools/list_changed",
        params: { _meta: { [ID]: id } },
      });
      assertEquals(await client.next(), updated("notes://1", id));
      await client.leave();
    }
  }));

Deno.test("subscriptions/listen begins with the acknowledgement, whatever happens meanwhile (S-4)", () =>
  withProcesses(async ({ first, second }) => {
    const filter = { ...KINDS, resourceSubscriptions: ["notes://1"] };
    const other = await listenTo(first.server, filter, as(ADA)); // the topics are live already
    const opening = listenTo(first.server, filter, as(ADA));
    for (let i = 0; i < 20; i++) {
      await second.server.notifyResourceUpdated("notes://1");
      await second.server.notifyListChanged("tools");
    }
    const client = await opening;
    assertEquals(client.acknowledged.method, "notifications/subscriptions/acknowledged");
    await second.server.close();
    await Promise.all([client.leave(), other.leave()]);
  }));

Deno.test("subscriptions/listen does not exist for a legacy caller (S-2, H-53)", async () => {
  const { server } = createNotes({ broker: memoryBroker() });
  for (const method of ["subscriptions/listen", "resources/subscribe", "resources/unsubscribe"]) {
    const message = { id: 1, method, params: { notifications: KINDS, uri: "notes://1" } };
    const request = legacyRequest(null, { message, token: ADA });
    const answer = await readAnswer(await server.fetch(request));
    assertEquals(answer.message?.error.code, -32601);
  }
});

for (
  const [title, options] of [
    ["without a broker", {}],
    ["where answers are never streams", { broker: memoryBroker(), streaming: "never" }],
  ] as const
) {
  Deno.test(`subscriptions/listen is acknowledged and closed ${title} (S-2, H-52)`, async () => {
    const { server } = createNotes(options);
    const filter = { ...KINDS, resourceSubscriptions: ["notes://1"] };
    const client = await listenTo(server, filter, as(ADA));
    assertEquals(client.acknowledged, acknowledged({}));
    assertEquals(await client.rest(), [RESULT]);
    assertEquals(await server.notifyResourceUpdated("notes://1"), 0);
    assertEquals(await server.notifyListChanged("tools"), 0);
    assertEquals((await discover(server)).tools, {});
  });
}

Deno.test("server/discover promises what is told, to modern callers only (H-52)", async () => {
  const { server } = createNotes({ broker: memoryBroker() });
  assertEquals(await discover(server), {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  });
  const message = { id: 1, method: "server/discover" };
  const legacy = await server.fetch(legacyRequest(null, { message, token: ADA }));
  const { result } = await legacy.json();
  assertEquals(result.capabilities, { tools: {}, resources: {} });
});

Deno.test("subscriptions/listen grants the lists of a catalogue that is declared dynamic (S-3)", async () => {
  const { server } = createNotes({ broker: memoryBroker(), dynamicCatalogue: true });
  const client = await listenTo(server, KINDS, as(ADA));
  assertEquals(client.acknowledged, acknowledged(KINDS));
  await client.leave();
});

const many = (count: number) => Array.from({ length: count }, (_, i) => `notes://${i}`);
const REFUSED:
  readonly (readonly [title: string, filter: unknown, status: number, code: number])[] = [
    ["no filter", undefined, 200, -32602],
    ["a filter that is none", [], 200, -32602],
    ["101 resources", { resourceSubscriptions: many(101) }, 200, -32602],
    ["a task without the extension", { taskIds: ["t1"] }, 400, -32021],
  ];

for (const [title, filter, status, code] of REFUSED) {
  Deno.test(`subscriptions/listen refuses ${title} with ${code} on ${status}`, () =>
    withProcesses(async ({ first }) => {
      const request = listenRequest(filter, as(ADA));
      const answer = await readAnswer(await first.server.fetch(request));
      assertEquals([answer.status, answer.message?.error.code], [status, code]);
      assertSound(answer, "subscriptions/listen");
    }));
}

Deno.test("subscriptions/listen is 406 for a client that takes no stream", () =>
  withProcesses(async ({ first }) => {
    const headers = { ...as(ADA).headers, accept: "application/json" };
    const response = await first.server.fetch(listenRequest(KINDS, { headers }));
    assertEquals(response.status, 406);
    await response.body?.cancel();
  }));

Deno.test("subscriptions/listen charges a resource's rate limit, as a read does", async () => {
  const { server } = createNotes({ broker: memoryBroker() });
  const reads = fixedWindow({ maxCalls: 1, perSeconds: 60 });
  server.registerResource(
    selectorSpec({
      kind: "retrieve",
      permissions: [unrestricted],
      select: () => "x",
    }),
    { uri: "notes://limited", name: "limited", rateLimits: reads },
  );
  const filter = { resourceSubscriptions: ["notes://limited"] };
  const first = await listenTo(server, filter, as(ADA));
  assertEquals(first.acknowledged, acknowledged(filter));
  const second = await listenTo(server, filter, as(ADA));
  assertEquals(second.acknowledged, acknowledged({}));
  await Promise.all([first.leave(), second.leave()]);
});

Deno.test("subscriptions/listen never carries progress or log messages (S-8)", () =>
  withProcesses(async ({ first }) => {
    const filter = { resourceSubscriptions: ["notes://1"] };
    const meta = { progressToken: "t", "io.modelcontextprotocol/logLevel": "debug" };
    const client = await listenTo(first.server, filter, { ...as(ADA), meta });
    await first.server.close();
    assertEquals((await client.rest()).map(({ method }) => method), [undefined]);
  }));

Deno.test("subscriptions/listen tells a change to the partition of who made it (B11)", () =>
  withProcesses(async ({ first, second }) => {
    const filter = { resourceSubscriptions: ["notes://count"] };
    const client = await listenTo(first.server, filter, as(ADA));
    const write = (token: string, text: string) =>
      second.server.fetch(mcpRequest("modern", {
        method: "tools/call",
        params: { name: "write_note", arguments: { id: 1, text } },
        ...as(token),
      })).then((response) => response.text());
    await write(BOB, "a"); // Bob's partition
    await second.server.notifyResourceUpdated("notes://count");
    await second.server.notifyResourceUpdated("notes://count", { partition: "bob" });
    assertEquals(
      await second.server.notifyResourceUpdated("notes://count", { partition: "ada" }),
      1,
    );
    assertEquals(await client.next(), updated("notes://count"));
    await write(ADA, "b");
    assertEquals(await client.next(), updated("notes://count"));
    await first.server.close();
    assertEquals(await client.rest(), [RESULT]);
  }, { partition: ({ user }) => user.id ?? "" }));

Deno.test("servers of different names share a broker and hear nothing of each other", async () => {
  const broker = memoryBroker();
  const one = createNotes({ broker, name: "one" });
  const two = createNotes({ broker, name: "two" });
  const client = await listenTo(one.server, { toolsListChanged: true }, as(ADA));
  assertEquals(await two.server.notifyListChanged("tools"), 0);
  assertEquals(await one.server.notifyListChanged("tools"), 1);
  await client.leave();
});

/** The tasks of whoever calls, by the seam that a task store fills. */
const tasks: ListenOptions = {
  canPush: true,
  slots: new ListenSlots({ maxSubscriptions: null, maxSubscriptionsPerCaller: 5 }),
  hasList: () => false,
  resources: new ResourceRegistry(),
  topics: createTopics("notes"),
  ownsTask: ({ caller }, taskId) => taskId.startsWith(`${caller.user.id}-`),
};
const declared = { extensions: { "io.modelcontextprotocol/tasks": {} } };

for (
  const [title, options, granted] of [
    ["her own tasks", tasks, { taskIds: ["ada-1", "ada-2"] }],
    ["none where there are no tasks", { ...tasks, ownsTask: undefined }, {}],
  ] as const
) {
  Deno.test(`subscriptions/listen grants a creator ${title} (S-3)`, async () => {
    const call = new InProcessCall("subscriptions/listen", {
      notifications: { taskIds: ["ada-1", "bob-1", "ada-2", "ada-1"] },
    }, {
      caller: { user: { id: "ada", authenticated: true } },
      request: undefined,
      host: {},
      signal: undefined,
      log: createLogger(() => {}, "error"),
    });
    Object.defineProperty(call, "clientCapabilities", { value: declared });
    const outcome = await createListen(options)(call);
    if (outcome.type !== "complete") throw new Error("Refused");
    assertEquals(JSON.parse(outcome.feed!.first).params.notifications, granted);
    assertEquals(outcome.feed!.watched.map(({ method }) => method), [
      ...Object.values(granted).flat().map(() => "notifications/tasks"),
    ]);
  });
}

async function discover(
  server: ReturnType<typeof createNotes>["server"],
): Promise<Record<string, unknown>> {
  const request = mcpRequest("modern", { method: "server/discover", ...as(ADA) });
  const answer = await readAnswer(await server.fetch(request));
  assertSound(answer, "server/discover");
  return answer.message?.result.capabilities;
}
