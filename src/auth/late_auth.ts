import { ConfigurationError } from "../ports/configuration_error.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Principal } from "../ports/principal.ts";
import type { Authenticator, ServerFacts } from "./authenticator.ts";

/**
 * Makes an authenticator from what the platform passes with the first request, as on Workers, where a
 * secret is not there before. It stays the same from then on; what it demands of the server is asked
 * when it is made, and until it is made nobody is let in.
 *
 * Its issuers are not known while the server is built, and clients ask for them before they send a
 * first request: name them in the server's `resourceMetadata`.
 *
 * @param create Makes it from what the server's option `host` gives. Where it throws, that request is
 * answered with 500, and the next one asks again.
 * @returns An authenticator of one server. Another one that is set up differently is refused, with a
 * {@linkcode ConfigurationError}: both would have the same authenticator, which may take tokens of
 * the one for the other's.
 *
 * @example
 * ```ts
 * import { lateAuth, McpServer, staticTokens } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const server = new McpServer({
 *   name: "billing",
 *   version: "1.0.0",
 *   host: (_request, env) => ({ env }),
 *   auth: lateAuth(({ env }) => {
 *     const { MCP_TOKEN } = env as { readonly MCP_TOKEN: string };
 *     return staticTokens([{ token: MCP_TOKEN, user: { id: "ada", authenticated: true } }]);
 *   }),
 * });
 *
 * const request = new Request("http://localhost/mcp", { method: "GET" });
 * const response = await server.fetch(request, { MCP_TOKEN: "correct-horse-battery" });
 * assertEquals(response.status, 401); // it brings no token
 * ```
 */
export function lateAuth<User extends Principal = Principal>(
  create: (host: HostContext) => Authenticator<User>,
): Authenticator<User> {
  let server: ServerFacts | undefined;
  let made: Authenticator<User> | undefined;
  const make = (host: HostContext): Authenticator<User> => {
    const auth = create(host);
    if (typeof auth?.authenticate !== "function") {
      throw new ConfigurationError(
        "Cannot make the authenticator of lateAuth(): an object with authenticate() is expected",
      );
    }
    if (server !== undefined) auth.checkServer?.(server);
    return made = auth;
  };
  return {
    authenticate: (request, host) => (made ?? make(host)).authenticate(request, host),
    checkServer: (facts) => {
      if (server !== undefined && !isSame(server, facts)) {
        throw new ConfigurationError(
          "Cannot create server: this lateAuth() serves another server; make one for each",
        );
      }
      made?.checkServer?.(facts); // asked before by nobody but code of its own
      server = facts;
    },
  };
}

function isSame(one: ServerFacts, other: ServerFacts): boolean {
  return one.publicUrl === other.publicUrl && one.hasHost === other.hasHost;
}
