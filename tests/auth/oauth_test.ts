/**
 * Authorization from end to end: the official client, a real authorization server, and a server of
 * ours, each on its socket.
 *
 * @module
 */
import {
  Client,
  type ClientOptions,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { McpServer, unrestricted } from "@limen/mcp";
import { jwtAuth } from "@limen/mcp/auth/jwt";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../_support/authorization_server.ts";

const REDIRECT = "http://127.0.0.1:9/callback"; // never opened: the browser stops in front of it

const CLIENT = {
  client_id: "test",
  client_name: "test",
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code"],
  response_types: ["code" as const],
  token_endpoint_auth_method: "none" as const,
};

interface World extends AsyncDisposable {
  readonly url: URL;
  readonly authorizationServer: AuthorizationServer;
}

async function startWorld(): Promise<World> {
  const { promise, resolve } = Promise.withResolvers<McpServer>(); // its URL is known later
  const listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request, info) => (await promise).fetch(request, info),
  );
  const url = new URL(`http://127.0.0.1:${listener.addr.port}/public/mcp`);
  const authorizationServer = await startAuthorizationServer(
    CLIENT,
    () => url.href,
    "notes:read notes:write",
  );
  const server = new McpServer({
    name: "notes",
    version: "1.0.0",
    publicUrl: url.href,
    resourceMetadata: { initialScopes: ["notes:read"] },
    auth: jwtAuth({ issuer: authorizationServer.issuer, type: "at+jwt" }),
  });
  for (const scopes of ["notes:read", "notes:write"]) {
    server.tool(scopes.replace(":", "_"), {
      description: "Tells who calls, and with which scopes.",
      effect: "read",
      scopes,
      permissions: [unrestricted],
    }, ({ user, token }) => ({ id: user.id, scopes: token!.scopes }));
  }
  resolve(server);
  return {
    url,
    authorizationServer,
    [Symbol.asyncDispose]: async () => {
      await listener.shutdown();
      await authorizationServer[Symbol.asyncDispose]();
    },
  };
}

/** Keeps in memory what a client keeps, and notes where it would send the user. */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = CLIENT;
  authorizationUrl: URL | undefined;
  #tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  #discovery: Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0] | undefined;
  #verifier = "";

  clientInformation = () => ({ client_id: CLIENT.client_id });
  tokens = () => this.#tokens;
  saveTokens = (tokens: Parameters<OAuthClientProvider["saveTokens"]>[0]) =>
    void (this.#tokens = tokens);
  discoveryState = () => this.#discovery;
  saveDiscoveryState: NonNullable<OAuthClientProvider["saveDiscoveryState"]> = (state) =>
    void (this.#discovery = state);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}

/** Follows redirects with cookies, as a browser does, until it would reach the client. */
async function browse(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let steps = 0; steps < 20; steps++) {
    if (url.href.startsWith(REDIRECT)) return url.searchParams;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    url = new URL(response.headers.get("location")!, url);
  }
  throw new Error("The browser is sent around in circles");
}

const MODES: readonly (readonly [title: string, options: ClientOptions])[] = [
  ["by default", {}],
  ['in mode "auto"', { versionNegotiation: { mode: "auto" } }],
  ["with the modern revision pinned", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
];

for (const [title, options] of MODES) {
  Deno.test(`The official client ${title} finds its way to a token, and to a broader one`, async () => {
    await using world = await startWorld();
    const { url, authorizationServer } = world;
    const provider = new MemoryProvider();
    const open = async (): Promise<Client> => {
      const client = new Client({ name: "test", version: "1.0.0" }, options);
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
      await client.connect(transport);
      return client;
    };
    const authorize = async () => {
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
      await transport.finishAuth(await browse(provider.authorizationUrl!));
    };
    const read = async (client: Client, name: string) => {
      const { content } = await client.callTool({ name, arguments: {} });
      const [block] = content as { text: string }[];
      return JSON.parse(block!.text);
    };

    await assertRejects(open, UnauthorizedError);
    await authorize();
    const client = await open();
    const id = `${authorizationServer.issuer}|ada`;
    assertEquals(await read(client, "notes_read"), { id, scopes: ["notes:read"] });

    await assertRejects(() => read(client, "notes_write"), UnauthorizedError); // 403, and on it goes
    await authorize();
    assertEquals(await read(client, "notes_write"), { id, scopes: ["notes:read", "notes:write"] });
    assertEquals(await read(client, "notes_read"), { id, scopes: ["notes:read", "notes:write"] });
    await client.close();

    const sent = authorizationServer.requests.map((params) => [
      params.get("resource"),
      params.get("scope"),
      params.get("code_challenge_method"),
    ]);
    assertEquals(sent, [
      [url.href, "notes:read", "S256"],
      [url.href, "notes:read notes:write", "S256"],
    ]);
  });
}

Deno.test("The official client finds the metadata with and without the challenge", async () => {
  await using world = await startWorld();
  const { url, authorizationServer } = world;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer bad" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  await response.body?.cancel();
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  assertEquals([response.status, scope, error], [401, "notes:read", "invalid_token"]);
  const address = `${url.origin}/.well-known/oauth-protected-resource/public/mcp`;
  assertEquals(resourceMetadataUrl?.href, address);
  for (const options of [{ resourceMetadataUrl }, {}]) {
    const { resource, authorization_servers: servers, scopes_supported: scopes } =
      await discoverOAuthProtectedResourceMetadata(url, options as object);
    assertEquals([resource, servers], [url.href, [authorizationServer.issuer]]);
    assertEquals(scopes, ["notes:read", "notes:write"]);
  }
});

Deno.test("The official client is told 401 in every mode when it has no way to authorize", async () => {
  await using world = await startWorld();
  for (const [, options] of MODES) {
    const client = new Client({ name: "test", version: "1.0.0" }, options);
    const error = await assertRejects(() =>
      client.connect(new StreamableHTTPClientTransport(world.url))
    );
    assert(
      String(error).includes("401") || (error as { status?: number }).status === 401,
      `${error}`,
    );
  }
});
