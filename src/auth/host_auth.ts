import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Caller, Principal } from "../ports/principal.ts";
import type { Authenticator, RefusedCredential } from "./authenticator.ts";

/**
 * Takes the caller from the option `host`, for an application that authenticates by itself before it
 * hands a request on. Where `host` names no `caller`, the request is turned away with 401; name
 * `{ user: { authenticated: false } }` to let one pass.
 *
 * What is read from the request in `host` must be proven there: a header that any client can write
 * names nobody.
 *
 * @example
 * ```ts
 * import { hostAuth, McpServer, unrestricted } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const server = new McpServer({
 *   name: "billing",
 *   version: "1.0.0",
 *   auth: hostAuth(),
 *   host: (_request, user) =>
 *     typeof user === "string" ? { caller: { user: { id: user, authenticated: true } } } : {},
 * });
 * server.tool("whoami", {
 *   description: "Tells who calls.",
 *   effect: "read",
 *   permissions: [unrestricted],
 * }, ({ user }) => user.id ?? "nobody");
 *
 * // In the application's own route, which knows who is logged in:
 * const request = new Request("http://localhost/mcp", { method: "POST" });
 * assertEquals((await server.fetch(request, "ada")).status, 415); // this is no MCP message
 * ```
 */
export function hostAuth<User extends Principal = Principal>(): Authenticator<User> {
  return {
    authenticate: (_request, { caller }) => (caller as Caller<User> | undefined) ?? NO_CALLER,
    checkServer: ({ hasHost }) => {
      if (hasHost) return;
      throw new ConfigurationError(
        "Cannot create server: hostAuth() takes the caller from the option host, which is missing",
      );
    },
  };
}

const NO_CALLER: RefusedCredential = { because: "The option host names no caller" };
