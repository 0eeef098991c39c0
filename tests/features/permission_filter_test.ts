/** Listings that show what the caller may read (L-4, L-5). */
import { assertEquals } from "@std/assert";
import { McpServer, param, selectorSpec, staticTokens } from "@limen/mcp";
import { askServer } from "../_support/ask_server.ts";

const ADA = "a-token-that-is-long-1";
const BOB = "a-token-that-is-long-2";

function createServer(filterListings: boolean, asked: unknown[] = []): McpServer {
  const server = new McpServer({
    name: "s",
    version: "1",
    filterListings,
    auth: staticTokens([
      { token: ADA, user: { id: "ada", authenticated: true }, scopes: ["more"] },
      { token: BOB, user: { id: "bob", authenticated: true } },
    ]),
  });
  const own = (id: string) => ({
    hasPermission: ({ user, args }: { user: { id?: string }; args: object }) => {
      asked.push(args);
      return user.id === id;
    },
  });
  const spec = (id: string) =>
    selectorSpec({
      kind: "retrieve",
      reads: { id: param.string() },
      permissions: [own(id)],
      select: () => 1,
    });
  for (const id of ["ada", "bob"]) {
    server.registerResource(spec(id), { uri: `x://${id}`, name: id });
    server.registerResource(spec(id), { uri: `x://${id}/{id}`, name: id });
    server.registerPrompt(id, { permissions: [own(id)] }, () => "Hi");
  }
  server.registerResource(spec("bob"), { uri: "x://s", name: "scoped", scopes: "more" });
  server.registerResource(spec("ada"), { uri: "x://all", name: "all", alwaysListed: true });
  server.registerPrompt("scoped", { scopes: "more" }, () => "Hi");
  server.registerPrompt("all", { permissions: [own("")], alwaysListed: true }, () => "Hi");
  return server;
}

const LISTS = {
  "resources/list": ["resources", ["ada", "all"], ["bob", "all"]],
  "resources/templates/list": ["resourceTemplates", ["ada"], ["bob"]],
  "prompts/list": ["prompts", ["ada", "scoped", "all"], ["bob", "all"]],
} as const;

for (const [method, [member, ofAda, ofBob]] of Object.entries(LISTS)) {
  Deno.test(`${method} leaves out what the caller may not have, if set (L-4)`, async () => {
    const asked: unknown[] = [];
    const server = createServer(true, asked);
    const list = async (token: string) => {
      const { result } = (await askServer(server, method, {}, { token })).message;
      assertEquals(result.cacheScope, "private");
      return result[member].map(({ name }: { name: string }) => name);
    };
    assertEquals(await list(ADA), ofAda);
    assertEquals(await list(BOB), ofBob);
    assertEquals(await list(ADA), ofAda);
    assertEquals(asked.every((args) => Object.keys(args as object).length === 0), true);
  });

  Deno.test(`${method} is the same for all by default, and asks nobody`, async () => {
    const asked: unknown[] = [];
    const { result } = (await askServer(createServer(false, asked), method, {}, { token: BOB }))
      .message;
    assertEquals([result.cacheScope, asked.length], ["public", 0]);
  });
}
