import { ConfigurationError } from "../ports/configuration_error.ts";
import { encodeBase64Url } from "../ports/base64url.ts";
import { digestText } from "../ports/digest_text.ts";
import type { Token } from "../ports/principal.ts";
import { isJsonObject } from "../protocol/json.ts";
import { checkSecureUrl } from "./check_secure_url.ts";
import { fetchJson } from "./fetch_json.ts";
import { revealToken } from "./held_token.ts";

/** Options of {@linkcode tokenExchange}. */
export interface TokenExchangeOptions {
  /** The authorization server's token endpoint. */
  readonly tokenEndpoint: string;
  /** Who this server is to the authorization server. */
  readonly clientId: string;
  /** Its secret, sent by HTTP Basic. */
  readonly clientSecret: string;
  /** Logical name of the API that is called. Default: none; then `resource` is needed. */
  readonly audience?: string;
  /** URL of the API that is called (RFC 8707). Default: none; then `audience` is needed. */
  readonly resource?: string;
  /** What the new token is to permit. Default: what the authorization server decides. */
  readonly scopes?: readonly string[];
  /** Fetches. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** The time in milliseconds. Default: that of the platform. */
  readonly now?: () => number;
}

/** Exchanges the token of the caller in a pool for one that is good for another API. */
export type TokenExchange = (
  pool: { readonly token?: Token | undefined },
) => Promise<string>;

/**
 * Makes what exchanges a caller's token for one that another API takes (RFC 8693). The caller's own
 * token goes to the authorization server and nowhere else: to pass it on would let any API act as the
 * caller towards this server, and is forbidden.
 *
 * It works for callers whose authenticator holds their token, as `jwtAuth()` does and `holdToken()`
 * lets others do. What was exchanged is kept while it is good, for a thousand callers at most.
 *
 * @throws {ConfigurationError} when an option is wrong.
 *
 * @example
 * ```ts
 * import { holdToken, tokenExchange } from "@limen/mcp/auth";
 * import { assertEquals } from "@std/assert";
 *
 * const ledgerToken = tokenExchange({
 *   tokenEndpoint: "https://login.example/token",
 *   clientId: "billing-mcp",
 *   clientSecret: "correct-horse-battery",
 *   audience: "https://ledger.example",
 *   fetch: () => Promise.resolve(Response.json({ access_token: "new", token_type: "Bearer" })),
 * });
 *
 * // In an operation: `run: async (pool) => fetch(url, { headers: {
 * //   authorization: `Bearer ${await ledgerToken(pool)}` } })`
 * assertEquals(await ledgerToken({ token: holdToken({ scopes: [] }, "old") }), "new");
 * ```
 */
export function tokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { now = Date.now } = options;
  checkOptions(options);
  const kept = new Map<string, Exchanged>();
  return async ({ token }) => {
    const raw = token === undefined ? undefined : revealToken(token);
    if (token === undefined || raw === undefined) {
      throw new Error("Cannot exchange token: the caller's credential is not held");
    }
    // Two tokens of one user may permit different things, so neither gets what the other got.
    const key = await digest(raw);
    const known = kept.get(key);
    if (known !== undefined && now() < known.expiresAtMs) return (await known.answer).accessToken;
    // Whoever asks meanwhile waits for the same answer.
    const entry: Exchanged = { answer: exchange(raw, options), expiresAtMs: Infinity };
    remember(kept, key, entry);
    try {
      const { accessToken, expiresInS } = await entry.answer;
      entry.expiresAtMs = Math.min(now() + (expiresInS - MARGIN_S) * 1000, expiryOf(token));
      return accessToken;
    } catch (cause) {
      if (kept.get(key) === entry) kept.delete(key);
      throw cause;
    }
  };
}

interface Answer {
  readonly accessToken: string;
  readonly expiresInS: number;
}

interface Exchanged {
  readonly answer: Promise<Answer>;
  expiresAtMs: number;
}

const MAX_ENTRIES = 1000;
const MARGIN_S = 30;
const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

async function exchange(raw: string, options: TokenExchangeOptions): Promise<Answer> {
  const { tokenEndpoint, clientId, clientSecret, audience, resource, scopes } = options;
  const form = new URLSearchParams({
    grant_type: GRANT,
    subject_token: raw,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    ...(audience === undefined ? {} : { audience }),
    ...(resource === undefined ? {} : { resource }),
    ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
  });
  const { status, body } = await fetchJson(tokenEndpoint, {
    fetch: options.fetch ?? globalThis.fetch,
    init: {
      method: "POST",
      body: form,
      headers: { authorization: `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}` },
    },
  });
  if (status !== 200 || !isJsonObject(body)) throw refused(status, body);
  const { access_token: accessToken, token_type: type, expires_in: expiresIn } = body;
  if (typeof accessToken !== "string" || String(type).toLowerCase() !== "bearer") {
    throw new Error("Cannot exchange token: the answer holds no bearer token");
  }
  if (accessToken === raw) {
    throw new Error(
      "Cannot exchange token: the answer is the caller's own, which is not passed on",
    );
  }
  return { accessToken, expiresInS: typeof expiresIn === "number" ? expiresIn : 0 };
}

/** Names the OAuth error, and nothing else of the answer, which may repeat what was sent. */
function refused(status: number, body: unknown): Error {
  const code = isJsonObject(body) ? body.error : undefined;
  const isCode = typeof code === "string" && /^[a-z_]{1,64}$/.test(code);
  return new Error(
    `Cannot exchange token: the authorization server answered ${status}${isCode ? ` ${code}` : ""}`,
  );
}

function remember(kept: Map<string, Exchanged>, key: string, entry: Exchanged): void {
  kept.delete(key);
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_ENTRIES) break;
    kept.delete(oldest);
  }
  kept.set(key, entry);
}

/** Nothing outlives the token that it came from. */
function expiryOf({ claims }: Token): number {
  const exp = claims?.exp;
  return typeof exp === "number" ? exp * 1000 : Infinity;
}

async function digest(text: string): Promise<string> {
  return encodeBase64Url(await digestText(text));
}

/** As RFC 6749, section 2.3.1 has it. */
function encode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function checkOptions({ tokenEndpoint, audience, resource }: TokenExchangeOptions): void {
  checkSecureUrl(tokenEndpoint, "create tokenExchange(): tokenEndpoint");
  if (audience !== undefined || resource !== undefined) return;
  throw new ConfigurationError(
    "Cannot create tokenExchange(): name the audience or the resource that the token is for",
  );
}
