/** S-21, S-22 and dynamic catalogues: what is told without a tool that says so. */
import { unrestricted } from "@limen/mcp";
import { type Broker, memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";
import { Announcer } from "../../../src/features/announcer.ts";
import { createTopics } from "../../../src/features/topics.ts";
import { createLogger } from "../../../src/ports/logger.ts";
import { listenTo } from "../../_support/listen_client.ts";
import { ADA, as, createNotes, settle, withProcesses } from "../../_support/note_server.ts";

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const tool = { description: "Does it.", effect: "read", permissions: [unrestricted] } as const;

Deno.test("what is registered or removed while requests are served is told, once a turn (S-22)", () =>
  withProcesses(async ({ first }) => {
    const { server } = first;
    const client = await listenTo(server, LISTS, as(ADA));
    assertEquals(Object.keys(client.acknowledged.params.notifications).length, 3);
    const registered = ["a", "b", "c"].map((name) => server.tool(name, tool, () => name));
    const prompt = server.registerPrompt("p", { permissions: [unrestricted] }, () => "Hi");
    const next = async () => (await client.next())?.method;
    assertEquals(await next(), "notifications/tools/list_changed");
    assertEquals(await next(), "notifications/prompts/list_changed");
    for (const one of registered) one.remove();
    assertEquals(await next(), "notifications/tools/list_changed");
    registered[0]!.remove(); // gone already
    prompt.remove();
    assertEquals(await next(), "notifications/prompts/list_changed");
    await client.leave();
  }, { dynamicCatalogue: true }));

Deno.test("a server that is being built tells nothing", async () => {
  const published: string[] = [];
  const broker: Broker = {
    ...memoryBroker(),
    activeSubscriptions: 0,
    publish: (topic) => Promise.resolve(published.push(topic)),
  };
  const { server } = createNotes({ broker });
  await settle();
  assertEquals(published, []);
  await (await server.fetch(new Request("http://localhost/", { method: "PUT" }))).body?.cancel();
  server.tool("late", tool, () => "late");
  await settle();
  assertEquals(published, ["kind:notes:tools/list_changed"]);
});

Deno.test("notifyResourceUpdated() and notifyListChanged() count whom they reach (S-21, S-22)", () =>
  withProcesses(async ({ first, second }) => {
    const { server } = second;
    assertEquals(await server.notifyResourceUpdated("notes://1"), 0);
    assertEquals(await server.notifyListChanged("resources"), 0);
    const filter = { ...LISTS, resourceSubscriptions: ["notes://1"] };
    const client = await listenTo(first.server, filter, as(ADA));
    assertEquals(await server.notifyResourceUpdated("notes://1"), 1);
    assertEquals(await server.notifyListChanged("resources"), 1);
    await client.leave();
  }));

Deno.test("notifyResourceUpdated() and notifyListChanged() never reject (S-21, S-22)", async () => {
  const broker: Broker = {
    ...memoryBroker(),
    activeSubscriptions: 0,
    publish: () => Promise.reject(new Error("The broker is gone")),
  };
  const { server, logged } = createNotes({ broker });
  assertEquals(await server.notifyResourceUpdated("notes://1"), 0);
  assertEquals(await server.notifyListChanged("tools"), 0);
  assertEquals(logged, ["subscription.publish", "subscription.publish"]);
});

Deno.test("Announcer.publishTask() tells of a task on its topic (S-12, J-35)", async () => {
  const broker = memoryBroker();
  const topics = createTopics("notes");
  const announcer = new Announcer({ broker, topics, log: createLogger(() => {}, "error") });
  const subscription = await broker.subscribe([topics.task("t1").name]);
  assertEquals(
    await announcer.publishTask("t1", JSON.stringify({ taskId: "t1", status: "working" })),
    1,
  );
  for await (const { payload } of subscription) {
    assertEquals(JSON.parse(payload), { taskId: "t1", status: "working" });
    break;
  }
});
