import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Caller, Principal } from "../ports/principal.ts";
import type { Authenticator } from "./authenticator.ts";

/** One token, and whom it stands for. */
export interface StaticToken<User extends Principal = Principal> {
  /** The secret, at least 16 characters. */
  readonly token: string;
  /** Whom it stands for. */
  readonly user: User;
  /** What it permits. Default: nothing that asks for a scope. */
  readonly scopes?: readonly string[];
}

/** Options of {@linkcode staticTokens}. */
export interface StaticTokensOptions {
  /**
   * Serve a public `https:` URL with static tokens. Default `false`: they do not expire and cannot be
   * revoked without a restart, so that a leaked one stays good.
   */
  readonly allowPublicUrl?: boolean;
}

/**
 * Authenticates by a fixed list of bearer tokens, for development and for closed networks.
 *
 * Digests are compared over the whole list, so that the time an answer takes tells nothing about how
 * much of a token was right. A token in the query is never read.
 *
 * @throws {ConfigurationError} when a token is short or listed twice.
 *
 * @example
 * ```ts
 * import { McpServer, staticTokens } from "@limen/mcp";
 *
 * new McpServer({
 *   name: "billing",
 *   version: "1.0.0",
 *   auth: staticTokens([
 *     { token: "correct-horse-battery", user: { id: "ada", authenticated: true }, scopes: ["read"] },
 *   ]),
 * });
 * ```
 */
export function staticTokens<User extends Principal>(
  tokens: readonly StaticToken<User>[],
  options: StaticTokensOptions = {},
): Authenticator<User> {
  if (new Set(tokens.map(({ token }) => token)).size !== tokens.length) {
    throw new ConfigurationError("Cannot create static tokens: a token is listed twice");
  }
  if (tokens.some(({ token }) => token.length < 16)) {
    throw new ConfigurationError("Cannot create static tokens: a token has under 16 characters");
  }
  let entries: Promise<readonly Entry<User>[]> | undefined;
  return {
    authenticate: async (request) => {
      const token = bearerToken(request.headers.get("authorization"));
      if (token === undefined) return null;
      entries ??= Promise.all(tokens.map(toEntry));
      const presented = await digest(token);
      let found: Caller<User> | null = null;
      for (const entry of await entries) {
        if (isEqual(entry.digest, presented)) found = entry.caller;
      }
      return found;
    },
    checkServer: ({ publicUrl }) => {
      if (options.allowPublicUrl === true || !publicUrl?.startsWith("https:")) return;
      throw new ConfigurationError(
        "Cannot create server: static tokens do not expire and publicUrl is https; " +
          "set allowPublicUrl: true to serve them all the same",
      );
    },
  };
}

interface Entry<User extends Principal> {
  readonly digest: Uint8Array;
  readonly caller: Caller<User>;
}

const MAX_TOKEN_LENGTH = 8192;

/** Reads the token of a Bearer header; the scheme's case does not matter (RFC 9110, section 11.1). */
export function bearerToken(header: string | null): string | undefined {
  if (header === null || header.length > MAX_TOKEN_LENGTH) return undefined;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}

async function toEntry<User extends Principal>(entry: StaticToken<User>): Promise<Entry<User>> {
  const { token, user, scopes = [] } = entry;
  return { digest: await digest(token), caller: { user, token: { scopes } } };
}

async function digest(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}
