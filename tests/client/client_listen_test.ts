/** The official client of the second generation listens, over a socket. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { unrestricted } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";
import { createServer } from "../../examples/conformance/server.ts";

const WATCHED = "test://watched-resource";

Deno.test("The official client listens, hears what it asked for, and is told of the end", async () => {
  const broker = memoryBroker();
  const server = createServer({ broker });
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    server.fetch,
  );
  const options = { versionNegotiation: { mode: "auto" } } as const;
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${listener.addr.port}/mcp`)),
  );
  const heard: string[] = [];
  let told = (): void => {};
  const hears = (what: string): void => {
    heard.push(what);
    if (heard.length === 3) told();
  };
  client.setNotificationHandler("notifications/tools/list_changed", () => hears("tools"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => hears("prompts"));
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => hears(params.uri),
  );
  const all = new Promise<void>((resolve) => told = resolve);
  const filter = { toolsListChanged: true, resourceSubscriptions: [WATCHED, "test://nothing"] };
  const subscription = await client.listen(filter);
  assertEquals(subscription.honoredFilter, {
    toolsListChanged: true,
    resourceSubscriptions: [WATCHED],
  });
  await client.callTool({ name: "test_trigger_prompt_change" });
  await client.callTool({ name: "test_trigger_tool_change" });
  await server.notifyResourceUpdated(WATCHED);
  await server.notifyResourceUpdated("test://static-text");
  server.tool(
    "test_later",
    { description: "d", effect: "read", permissions: [unrestricted] },
    () => 1,
  )
    .remove();
  await all;
  assertEquals(heard.toSorted(), [WATCHED, "tools", "tools"]);

  const second = await client.listen({ promptsListChanged: true });
  await second.close();
  assertEquals(await second.closed, "local");
  await server.close();
  assertEquals(await subscription.closed, "graceful");
  await client.close();
  assertEquals(broker.activeSubscriptions, 0);
});
