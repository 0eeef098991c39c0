import { assert, assertEquals, assertRejects } from "@std/assert";
import { fixedWindow, type HostContext, lateStore, McpServer, unrestricted } from "@limen/mcp";
import { type KeyValueStore, memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { legacyRequest, openSession } from "../_support/legacy_session.ts";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";

Deno.test("lateStore() is made once, with the first request's host", async () => {
  const hosts: HostContext[] = [];
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    sessions: "stored",
    broker: memoryBroker(),
    replay: {},
    log: () => {},
    host: (_request, stores) => ({ stores }),
    stores: lateStore((host) => {
      hosts.push(host);
      return host.stores as KeyValueStore;
    }),
  });
  const notification = { method: "notifications/message" };
  assertEquals(await server.notify("A".repeat(32), notification), false);
  const [stores, other] = [memoryStore(), memoryStore()];
  const withStores = { fetch: (request: Request) => server.fetch(request, stores) };
  const id = await openSession(withStores);
  assertEquals(stores.size, 1);
  const answer = await readAnswer(await server.fetch(legacyRequest(id), other));
  assertEquals(answer.status, 200);
  await server.notify(id, notification);
  assertEquals([stores.size, other.size], [2, 0]);
  assertEquals(hosts, [{ stores }]);
  await server.close();
});

Deno.test("lateStore() serves limits, in process as well", async () => {
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    stores: lateStore(() => memoryStore()),
  });
  server.tool("once", {
    description: "Answers once.",
    effect: "read",
    permissions: [unrestricted],
    rateLimits: fixedWindow({ maxCalls: 1, perSeconds: 60 }),
  }, () => "ok");
  assert("content" in await server.invokeTool("once"));
  const request = mcpRequest("modern", { method: "tools/call", params: { name: "once" } });
  const { message } = await readAnswer(await server.fetch(request));
  assertEquals(message?.error?.code, -32005);
});

Deno.test("lateStore() is asked again where it threw, and answers 500 until then", async () => {
  let asked = 0;
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    log: () => {},
    stores: lateStore(() => {
      if (++asked === 1) throw new Error("no binding yet");
      return memoryStore();
    }),
  });
  for (const status of [500, 200, 200]) {
    const request = mcpRequest("modern", { method: "server/discover" });
    assertEquals((await readAnswer(await server.fetch(request))).status, status);
  }
  assertEquals(asked, 2);
});

Deno.test("lateStore() rejects what is asked before the first request", async () => {
  const store = lateStore(() => memoryStore());
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.get("a"),
    () => store.set("a", "1"),
    () => store.delete("a"),
    () => store.compareAndSet("a", "1", "2"),
    () => store.increment("a", 1),
  ];
  for (const call of calls) {
    const error = await assertRejects(call, Error);
    assert(error.message.includes("no request has come yet"));
  }
});

Deno.test("lateStore() is one store for two servers", async () => {
  let asked = 0;
  const stores = lateStore(() => {
    asked++;
    return memoryStore();
  });
  const limit = fixedWindow({ maxCalls: 1, perSeconds: 60, namespace: "both" });
  const servers = ["one", "other"].map((name) => {
    const server = new McpServer({ name, version: "1.0.0", stores });
    const open = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
    server.tool("once", { ...open, rateLimits: limit }, () => "ok");
    return server;
  });
  const codes = await Promise.all(servers.map(async (server) => {
    const request = mcpRequest("modern", { method: "tools/call", params: { name: "once" } });
    return (await readAnswer(await server.fetch(request))).message?.error?.code;
  }));
  assertEquals([codes, asked], [[undefined, -32005], 1]);
});
