/** Section I of the wire cases, as far as it concerns `subscriptions/listen`. */
import { McpServer, param, selectorSpec, unrestricted } from "@limen/mcp";
import { memoryBroker } from "@limen/mcp/stores/memory";
import { assertEquals } from "@std/assert";
import { listenTo } from "../_support/listen_client.ts";
import { assertConforms, SPEC_SOURCES } from "../_support/spec_schema.ts";
import { testLanes } from "../_support/wire_sheet.ts";

const permissions = [unrestricted];

testLanes(
  `B82 modern: the acknowledgement comes first, then what was asked for, with its id [${SPEC_SOURCES}]`,
  async (reach) => {
    const server = new McpServer({ name: "wire", version: "1.0.0", broker: memoryBroker() });
    server.tool("a", { description: "A.", effect: "read", permissions }, () => "a");
    server.registerPrompt("p", { permissions }, () => "p");
    const row = selectorSpec({
      kind: "retrieve",
      reads: { id: param.string({ required: true }) },
      permissions,
      select: ({ args }) => args,
    });
    server.registerResource(row, { uri: "x://{id}", name: "row" });
    const client = await listenTo(await reach(server), {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ["x://a"],
      unheardOf: true,
    }, { id: "s1" });
    server.tool("b", { description: "B.", effect: "read", permissions }, () => "b");
    server.registerPrompt("q", { permissions }, () => "q");
    await server.notifyResourceUpdated("x://b");
    await server.notifyResourceUpdated("x://a");
    const heard = [client.acknowledged, (await client.next())!, (await client.next())!];
    await server.close();
    heard.push(...await client.rest());
    for (const message of heard) assertConforms(message, "subscriptions/listen");
    const _meta = { "io.modelcontextprotocol/subscriptionId": "s1" };
    assertEquals(heard.slice(0, 3).map(({ method, params }) => ({ method, params })), [
      {
        method: "notifications/subscriptions/acknowledged",
        params: {
          notifications: { toolsListChanged: true, resourceSubscriptions: ["x://a"] },
          _meta,
        },
      },
      { method: "notifications/tools/list_changed", params: { _meta } },
      { method: "notifications/resources/updated", params: { uri: "x://a", _meta } },
    ]);
    assertEquals(heard[3]!.id, "s1");
    assertEquals(heard[3]!.result.resultType, "complete");
    assertEquals(heard.length, 4);
  },
);
