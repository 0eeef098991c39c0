/** resources/list and resources/templates/list (L-1…L-3, R-4, B19, B78). */
import { assertEquals } from "@std/assert";
import { McpServer, param, selectorSpec, type ServerOptions, unrestricted } from "@limen/mcp";
import { encodeCursor } from "../../../src/features/list_cursor.ts";
import { askServer } from "../../_support/ask_server.ts";

const one = selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: () => 1 });
const byId = selectorSpec({
  kind: "retrieve",
  reads: { id: param.string({ required: true }) },
  permissions: [unrestricted],
  select: () => 1,
});

function createServer(count: number, options: Partial<ServerOptions> = {}): McpServer {
  const server = new McpServer({ name: "s", version: "1", pageSize: 2, ...options });
  for (let i = 0; i < count; i++) {
    server.registerResource(one, { uri: `x://${i}`, name: `r${i}` });
    server.registerResource(byId, { uri: `x://${i}/{id}`, name: `t${i}` });
  }
  return server;
}

const ICON = { src: "https://a.example/i.png", sizes: ["any"], theme: "dark" } as const;

Deno.test("resources/list has every member of an entry, and templates are apart", async () => {
  const server = new McpServer({ name: "s", version: "1", catalogTtlMs: 9 });
  const described = {
    name: "a",
    title: "A",
    description: "An a.",
    icons: [ICON],
    mimeType: "text/markdown",
    annotations: { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" },
    meta: { "a.b/c": { d: [1] } },
  } as const;
  server.registerResource(one, { ...described, uri: "x://a", size: 7 });
  server.registerResource(byId, { ...described, uri: "x://{id}" });
  const { meta, ...entry } = described;
  const list = await askServer(server, "resources/list");
  assertEquals(list.message.result, {
    resources: [{ uri: "x://a", ...entry, size: 7, _meta: meta }],
    ttlMs: 9,
    cacheScope: "public",
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
  });
  const legacy = await askServer(server, "resources/templates/list", {}, { era: "legacy" });
  assertEquals(legacy.message.result, {
    resourceTemplates: [{ uriTemplate: "x://{id}", ...entry, _meta: meta }],
  });
});

const LISTS = {
  "resources/list": ["resources", "resources"],
  "resources/templates/list": ["resourceTemplates", "templates"],
} as const;

for (const [method, [member, list]] of Object.entries(LISTS)) {
  Deno.test(`${method} lists every entry once, in order`, async () => {
    const server = createServer(5);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const { result } = (await askServer(server, method, params)).message;
      names.push(...result[member].map(({ name }: { name: string }) => name.slice(1)));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    assertEquals(names, ["0", "1", "2", "3", "4"]);
  });

  for (
    const cursor of [
      "bogus",
      "",
      "e30=",
      5,
      null,
      encodeCursor("tools", 2),
      encodeCursor(list, -2),
      encodeCursor(list, 1),
      encodeCursor(list, 6),
    ]
  ) {
    Deno.test(`${method} refuses the cursor ${JSON.stringify(cursor)} (B78)`, async () => {
      for (const era of ["modern", "legacy"] as const) {
        const { status, message } = await askServer(createServer(5), method, { cursor }, { era });
        assertEquals([status, message.error.code], [200, -32602]);
      }
    });
  }
}

Deno.test("Methods of resources exist while there is one, and are discovered then", async () => {
  const server = createServer(0);
  const capabilities = async () =>
    (await askServer(server, "server/discover")).message.result.capabilities;
  assertEquals((await askServer(server, "resources/list")).status, 404);
  assertEquals(await capabilities(), {}); // H-52
  const added = server.registerResource(one, { uri: "x://a", name: "a" });
  assertEquals((await askServer(server, "resources/list")).message.result.resources.length, 1);
  assertEquals(
    (await askServer(server, "resources/templates/list")).message.result
      .resourceTemplates,
    [],
  );
  assertEquals(await capabilities(), { resources: {} });
  added.remove();
  assertEquals((await askServer(server, "resources/read", { uri: "x://a" })).status, 404);
});

Deno.test("A dynamic catalogue has its methods from the start, and shows what comes and goes", async () => {
  const server = createServer(0, { dynamicCatalogue: true });
  const uris = async () =>
    (await askServer(server, "resources/list")).message.result.resources
      .map(({ uri }: { uri: string }) => uri);
  assertEquals(await uris(), []);
  const a = server.registerResource(one, { uri: "x://a", name: "a" });
  server.registerResource(one, { uri: "x://b", name: "b" });
  assertEquals(await uris(), ["x://a", "x://b"]);
  a.remove();
  assertEquals(await uris(), ["x://b"]);
});
