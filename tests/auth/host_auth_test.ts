import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ConfigurationError, hostAuth, McpServer, unrestricted } from "@limen/mcp";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";

Deno.test("hostAuth() takes the caller whom the application authenticated", async () => {
  const server = new McpServer({
    name: "s",
    version: "1",
    auth: hostAuth(),
    host: (_request, id) => {
      if (typeof id !== "string") return {};
      if (id === "") return { caller: { user: { authenticated: false } } };
      return { caller: { user: { id, authenticated: true }, token: { scopes: ["a"] } } };
    },
  });
  const options = { description: "T.", effect: "read", permissions: [unrestricted] } as const;
  server.tool("whoami", options, ({ user }) => user.id ?? "nobody");
  server.tool("scoped", { ...options, scopes: "a" }, () => "ok");
  const call = async (name: string, ...platform: readonly unknown[]) => {
    const request = mcpRequest("modern", {
      method: "tools/call",
      params: { name },
      headers: { cookie: "user=eve", "x-user": "eve" },
    });
    const { status, message } = await readAnswer(await server.fetch(request, ...platform));
    return [status, message?.result?.content[0].text];
  };
  assertEquals(await call("whoami", "ada"), [200, "ada"]);
  assertEquals(await call("scoped", "ada"), [200, "ok"]);
  assertEquals(await call("whoami", ""), [200, "nobody"]);
  assertEquals(await call("scoped", ""), [403, undefined]);
  assertEquals(await call("whoami"), [401, undefined]);
});

Deno.test("hostAuth() needs the option host", () => {
  const build = () => new McpServer({ name: "s", version: "1", auth: hostAuth() });
  assertMatch(assertThrows(build, ConfigurationError).message, /option host, which is missing/);
});
