/**
 * Who calls: the seam through which a server learns it, and ready-made authenticators.
 *
 * An authenticator is asked for every request, before a session is looked at or a method runs, and
 * answers with the caller, or why there is none, which is a 401 with a challenge. Cookies are never read.
 * `jwtAuth()` is at `@limen/mcp/auth/jwt`, so that a server without it loads no JWT library.
 *
 * @example
 * ```ts
 * import { staticTokens } from "@limen/mcp/auth";
 * import { assertEquals } from "@std/assert";
 *
 * const auth = staticTokens([
 *   { token: "correct-horse-battery", user: { id: "ada", authenticated: true } },
 * ]);
 * const request = new Request("https://mcp.example/", {
 *   headers: { authorization: "Bearer correct-horse-battery" },
 * });
 * assertEquals((await auth.authenticate(request, {}))?.user?.id, "ada");
 * ```
 *
 * @module
 */
export type { Awaitable } from "../ports/awaitable.ts";
export { ConfigurationError } from "../ports/configuration_error.ts";
export type { HostContext } from "../ports/host_context.ts";
export type { Caller, Principal, Token } from "../ports/principal.ts";
export type { Authenticator, RefusedCredential, ServerFacts } from "./authenticator.ts";
export { holdToken } from "./held_token.ts";
export { hostAuth } from "./host_auth.ts";
export { lateAuth } from "./late_auth.ts";
export type { ResourceMetadataOptions } from "./resource_metadata.ts";
export type { ScopeHierarchy } from "./scope_expansion.ts";
export { type StaticToken, staticTokens, type StaticTokensOptions } from "./static_tokens.ts";
export { type TokenExchange, tokenExchange, type TokenExchangeOptions } from "./token_exchange.ts";
