import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Authenticator,
  ConfigurationError,
  hostAuth,
  type HostContext,
  lateAuth,
  McpServer,
  type ServerFacts,
  type ServerOptions,
  staticTokens,
} from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import { mcpRequest } from "../_support/mcp_request.ts";
import { readAnswer } from "../_support/read_answer.ts";

const TOKEN = "correct-horse-battery";

/** Ada by the token that the platform passes. */
function adaBy({ env }: HostContext): Authenticator {
  return staticTokens([{ token: String(env), user: { id: "ada", authenticated: true } }]);
}

function serve(options: Partial<ServerOptions>): McpServer {
  return new McpServer({
    name: "late",
    version: "1.0.0",
    host: (_request, env) => ({ env }),
    log: () => {},
    ...options,
  });
}

async function ask(server: McpServer, token: string, env: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${token}` };
  const request = mcpRequest("modern", { method: "server/discover", headers });
  const { status, message } = await readAnswer(await server.fetch(request, env));
  return [status, message?.error?.code];
}

Deno.test("lateAuth() is made once, and refuses everybody until it does not throw", async () => {
  let asked = 0;
  const events: string[] = [];
  const server = serve({
    auth: lateAuth((host) => {
      asked++;
      return adaBy(host);
    }),
    log: ({ event }) => void events.push(event),
  });
  assertEquals(asked, 0);
  assertEquals(await ask(server, TOKEN, "short"), [500, -32603]);
  assertEquals(await ask(server, TOKEN, TOKEN), [200, undefined]);
  const other = "another-horse-battery";
  assertEquals(await ask(server, other, other), [401, -32600]);
  assertEquals(asked, 2);
  assertEquals(events, ["request.fault", "request.refused"]);
});

Deno.test("lateAuth() says what it lacks where a function makes no authenticator", async () => {
  const causes: unknown[] = [];
  for (const made of [undefined, () => ({}), Promise.resolve(adaBy({ env: TOKEN }))]) {
    const server = serve({
      auth: lateAuth(() => made as unknown as Authenticator),
      log: ({ cause }) => void causes.push((cause as Error).message),
    });
    assertEquals(await ask(server, TOKEN, TOKEN), [500, -32603]);
  }
  const expected = "Cannot make the authenticator of lateAuth(): " +
    "an object with authenticate() is expected";
  assertEquals(causes, [expected, expected, expected]);
});

Deno.test("lateAuth() is made by one of the first requests that come together", async () => {
  let asked = 0;
  const server = serve({
    auth: lateAuth((host) => {
      asked++;
      return adaBy(host);
    }),
  });
  const answers = await Promise.all([1, 2, 3].map(() => ask(server, TOKEN, TOKEN)));
  assertEquals(answers, [[200, undefined], [200, undefined], [200, undefined]]);
  assertEquals(asked, 1);
});

Deno.test("lateAuth() is held to what it demands of the server, at each first request", async () => {
  const events: unknown[] = [];
  let asked = 0;
  const server = new McpServer({
    name: "late",
    version: "1.0.0",
    auth: lateAuth(() => {
      asked++;
      return hostAuth();
    }),
    log: ({ cause }) => void events.push(String(cause)),
  });
  for (const _ of [1, 2]) {
    const response = await server.fetch(mcpRequest("modern", { method: "server/discover" }));
    assertEquals(response.status, 500);
    await response.body?.cancel();
  }
  assert(String(events[0]).includes("option host, which is missing"));
  assertEquals([events.length, asked], [2, 2]);
});

Deno.test("lateAuth() tells what it makes how the server is set up, once", async () => {
  const told: ServerFacts[] = [];
  const server = serve({
    publicUrl: "https://mcp.example/",
    auth: lateAuth((host) => ({ ...adaBy(host), checkServer: (facts) => void told.push(facts) })),
  });
  assertEquals(told, []);
  await ask(server, TOKEN, TOKEN);
  await ask(server, TOKEN, TOKEN);
  assertEquals(told, [{ publicUrl: "https://mcp.example/", hasHost: true }]);
});

Deno.test("lateAuth() serves one server, or several that are set up alike", async () => {
  const auth = lateAuth(adaBy);
  const [one, same] = [1, 2].map(() => serve({ publicUrl: "http://a.example", auth }));
  for (const options of [{ publicUrl: "http://b.example" }, {}]) {
    const error = assertThrows(() => serve({ ...options, auth }), ConfigurationError);
    assert(error.message.includes("this lateAuth() serves another server"));
  }
  assertEquals(await ask(one!, TOKEN, TOKEN), [200, undefined]);
  assertEquals(await ask(same!, TOKEN, TOKEN), [200, undefined]);
  assertThrows(() => serve({ publicUrl: "http://b.example", auth }), ConfigurationError);
});

Deno.test("lateAuth() names no issuers: resourceMetadata does, before the first request", async () => {
  const issuer = "https://login.example";
  const auth = () => lateAuth(() => jwtAuth({ issuer }));
  const publicUrl = "https://mcp.example/";
  const find = async (server: McpServer) => {
    const url = "https://mcp.example/.well-known/oauth-protected-resource";
    const response = await server.fetch(new Request(url));
    return [response.status, (await response.json()).authorization_servers];
  };
  assertEquals(await find(serve({ publicUrl, auth: auth() })), [404, undefined]);
  const named = serve({
    publicUrl,
    auth: auth(),
    resourceMetadata: { authorizationServers: [issuer] },
  });
  assertEquals(await find(named), [200, [issuer]]);
});

Deno.test("new McpServer() refuses a function as auth or stores, and names what takes one", () => {
  const cases = [
    ["auth", "authenticate", "lateAuth"],
    ["stores", "compareAndSet", "lateStore"],
  ] as const;
  for (const [option, method, late] of cases) {
    const options = { [option]: () => ({}) } as object as ServerOptions;
    const error = assertThrows(() => serve(options), ConfigurationError);
    assertEquals(
      error.message,
      `Cannot create server: option ${option} must be an object with ${method}(); ` +
        `${late}() takes a function that makes it with the first request`,
    );
  }
});
