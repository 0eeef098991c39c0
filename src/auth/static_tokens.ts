import { ConfigurationError } from "../ports/configuration_error.ts";
import { digestText } from "../ports/digest_text.ts";
import { equalBytes } from "../ports/equal_bytes.ts";
import { anonymous, type Caller, type Principal } from "../ports/principal.ts";
import type { Authenticator, RefusedCredential } from "./authenticator.ts";
import { bearerToken } from "./bearer_token.ts";
import { refuseHeader } from "./refuse_header.ts";

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
  /**
   * Serve requests without an `Authorization` header, as an anonymous caller; a wrong token is 401
   * all the same. Default `false`. Every operation that anonymous callers may not run needs a
   * permission that says so, such as `authenticated`.
   */
  readonly allowAnonymous?: boolean;
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
  options: StaticTokensOptions & { readonly allowAnonymous: true },
): Authenticator<User | Principal>;
/**
 * Authenticates by a fixed list of bearer tokens, and turns away whoever sends none of them.
 *
 * @throws {ConfigurationError} when a token is short or listed twice.
 */
export function staticTokens<User extends Principal>(
  tokens: readonly StaticToken<User>[],
  options?: StaticTokensOptions,
): Authenticator<User>;
export function staticTokens<User extends Principal>(
  tokens: readonly StaticToken<User>[],
  options: StaticTokensOptions = {},
): Authenticator<User | Principal> {
  checkTokens(tokens);
  let entries: Promise<readonly Entry<User>[]> | undefined;
  const find = async (token: string): Promise<Caller<User> | RefusedCredential> => {
    entries ??= Promise.all(tokens.map(toEntry));
    const presented = await digestText(token);
    let found: Caller<User> | RefusedCredential = UNKNOWN_TOKEN;
    for (const entry of await entries) {
      if (equalBytes(entry.digest, presented)) found = entry.caller;
    }
    return found;
  };
  return {
    authenticate: (request) => {
      const header = request.headers.get("authorization");
      if (header === null && options.allowAnonymous === true) return ANYONE;
      const token = bearerToken(header);
      return token === undefined ? refuseHeader(header) : find(token);
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

function checkTokens(tokens: unknown): void {
  if (!Array.isArray(tokens)) throw invalid("they must be a list");
  const known = new Set<string>();
  for (const [i, { token }] of tokens.entries()) {
    if (typeof token !== "string") throw invalid(`[${i}].token is missing, or no text`);
    if (token.length < 16) throw invalid(`[${i}].token has under 16 characters`);
    if (known.has(token)) throw invalid(`[${i}].token is listed twice`);
    known.add(token);
  }
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create static tokens: ${problem}`);
}

interface Entry<User extends Principal> {
  readonly digest: Uint8Array;
  readonly caller: Caller<User>;
}

const UNKNOWN_TOKEN: RefusedCredential = { because: "The token is none of the list" };

const ANYONE: Caller = Object.freeze({ user: anonymous });

async function toEntry<User extends Principal>(entry: StaticToken<User>): Promise<Entry<User>> {
  const { token, user, scopes = [] } = entry;
  return { digest: await digestText(token), caller: { user, token: { scopes } } };
}
