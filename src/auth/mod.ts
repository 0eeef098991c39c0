/**
 * Who calls: the seam through which a server learns it, and a ready-made authenticator for
 * development.
 *
 * An authenticator is asked for every request, before anything about the request is looked at, and
 * answers with the caller or with `null`, which is a 401 with a challenge. Cookies are never read.
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
 * assertEquals((await auth.authenticate(request))?.user.id, "ada");
 * ```
 *
 * @module
 */
export type { Awaitable } from "../ports/awaitable.ts";
export { ConfigurationError } from "../ports/configuration_error.ts";
export type { Caller, Principal, Token } from "../ports/principal.ts";
export type { Authenticator } from "./authenticator.ts";
export { type StaticToken, staticTokens, type StaticTokensOptions } from "./static_tokens.ts";
