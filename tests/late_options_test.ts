/** The options `stores` and `auth` as functions of what the platform passes. */
import { assert, assertEquals } from "@std/assert";
import {
  fixedWindow,
  hostAuth,
  type HostContext,
  McpServer,
  staticTokens,
  unrestricted,
} from "@limen/mcp";
import { type KeyValueStore, memoryBroker, memoryStore } from "@limen/mcp/stores/memory";
import { legacyRequest, openSession } from "./_support/legacy_session.ts";
import { mcpRequest } from "./_support/mcp_request.ts";
import { readAnswer } from "./_support/read_answer.ts";

const TOKEN = "correct-horse-battery";

/** What a Worker is passed. */
interface Env {
  readonly token: string;
  readonly stores: KeyValueStore;
}

function envOf({ env }: HostContext): Env {
  return env as Env;
}

Deno.test("stores as a function is asked once, with the first request's host", async () => {
  const hosts: HostContext[] = [];
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    sessions: "stored",
    broker: memoryBroker(),
    replay: {},
    log: () => {},
    host: (_request, env) => ({ env }),
    stores: (host) => {
      hosts.push(host);
      return envOf(host).stores;
    },
  });
  const notification = { method: "notifications/message" };
  assertEquals(await server.notify("A".repeat(32), notification), false);
  const [stores, other] = [memoryStore(), memoryStore()];
  const withEnv = { fetch: (request: Request) => server.fetch(request, { stores }) };
  const id = await openSession(withEnv);
  assertEquals(stores.size, 1);
  const answer = await readAnswer(await server.fetch(legacyRequest(id), { stores: other }));
  assertEquals(answer.status, 200);
  await server.notify(id, notification);
  assertEquals([stores.size, other.size], [2, 0]);
  assertEquals(hosts, [{ env: { stores } }]);
  await server.close();
});

Deno.test("stores as a function serves limits, in process as well", async () => {
  const server = new McpServer({ name: "late", version: "1.0.0", stores: () => memoryStore() });
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

Deno.test("auth as a function is asked once, and refuses everybody until it does not throw", async () => {
  let asked = 0;
  const events: string[] = [];
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    host: (_request, env) => ({ env }),
    auth: (host) => {
      asked++;
      return staticTokens([{
        token: envOf(host).token,
        user: { id: "ada", authenticated: true },
      }]);
    },
    log: ({ event }) => void events.push(event),
  });
  const ask = async (token: string, env: unknown) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, message } = await readAnswer(
      await server.fetch(mcpRequest("modern", { method: "server/discover", headers }), env),
    );
    return [status, message?.error?.code];
  };
  assertEquals(await ask(TOKEN, { token: "short" }), [500, -32603]);
  assertEquals(await ask(TOKEN, { token: TOKEN }), [200, undefined]);
  assertEquals(await ask("another-horse-battery", { token: "another-horse-battery" }), [
    401,
    -32600,
  ]);
  assertEquals(asked, 2);
  assertEquals(events, ["request.fault", "request.refused"]);
});

Deno.test("auth as a function is held to what it demands of the server", async () => {
  const events: unknown[] = [];
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    auth: () => hostAuth(),
    log: ({ cause }) => void events.push(String(cause)),
  });
  const response = await server.fetch(mcpRequest("modern", { method: "server/discover" }));
  assertEquals(response.status, 500);
  await response.body?.cancel();
  assert(String(events[0]).includes("option host, which is missing"));
});
