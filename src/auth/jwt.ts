/**
 * Access tokens that are JWTs, signed by an authorization server (RFC 9068): verifies them and says
 * who calls.
 *
 * It stands apart from `@limen/mcp/auth`, so that only a server that uses it loads a JWT library.
 *
 * @example
 * ```ts
 * import { McpServer } from "@limen/mcp";
 * import { jwtAuth } from "@limen/mcp/auth/jwt";
 * import { assertEquals } from "@std/assert";
 *
 * const server = new McpServer({
 *   name: "billing",
 *   version: "1.0.0",
 *   publicUrl: "https://mcp.example/billing", // the audience that a token must name
 *   auth: jwtAuth({ issuer: "https://login.example" }),
 * });
 *
 * const response = await server.fetch(
 *   new Request("https://mcp.example/.well-known/oauth-protected-resource/billing"),
 * );
 * assertEquals((await response.json()).authorization_servers, ["https://login.example"]);
 * ```
 *
 * @module
 */
import { createLocalJWKSet, errors, type JWTHeaderParameters, jwtVerify } from "@panva/jose";
import type { Awaitable } from "../ports/awaitable.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Caller, Principal, Token } from "../ports/principal.ts";
import type { Authenticator, RefusedCredential, ServerFacts } from "./authenticator.ts";
import { bearerToken } from "./bearer_token.ts";
import { checkJwtOptions } from "./check_jwt_options.ts";
import { fetchJson } from "./fetch_json.ts";
import { findJwksUrl } from "./find_jwks_url.ts";
import { freezeDeep } from "./freeze_deep.ts";
import { holdToken } from "./held_token.ts";
import { JWT_ALGORITHMS, type JwtAuthOptions, type JwtClaims } from "./jwt_options.ts";
import { describeJwtError } from "./describe_jwt_error.ts";
import { refuseHeader } from "./refuse_header.ts";
import { createKeySource, type KeySource, KeysUnavailableError } from "./key_source.ts";
import { VerifiedCallers } from "./verified_callers.ts";

export type { Authenticator, Awaitable, Caller, Principal, RefusedCredential, ServerFacts, Token };
export type { HostContext } from "../ports/host_context.ts";
export type { JwtAlgorithm, JwtAuthOptions, JwtClaims, PublicJwk } from "./jwt_options.ts";
export { ConfigurationError };

/**
 * Authenticates by JWT access tokens of one issuer.
 *
 * A token must be signed by a key of the issuer, name the issuer and this server, have a subject, and
 * have neither expired nor yet to become valid. A header that brings a key of its own, or says where
 * one is (`jwk`, `jku`, `x5c`, `x5u`), is refused. The principal's id is `issuer|sub`. What was
 * verified is remembered for a minute at most.
 *
 * @throws {ConfigurationError} when an option is wrong.
 */
export function jwtAuth<User extends Principal = Principal>(
  options: JwtAuthOptions<User>,
): Authenticator<User> {
  checkJwtOptions(options);
  const { issuer, now = Date.now } = options;
  const source = createSource(options, now);
  const callers = new VerifiedCallers<User>();
  let audience: readonly string[] | undefined = options.audience === undefined
    ? undefined
    : [options.audience].flat();

  const verify = async (
    token: string,
    header: string,
  ): Promise<Caller<User> | RefusedCredential> => {
    if (audience === undefined) throw new Error("Cannot verify a token: no server has this auth");
    const verified = await verifyToken(token, { ...options, audience, now, source });
    if ("because" in verified) return verified;
    const { claims, keys } = verified;
    const user = await userOf(claims, options);
    if (user === null) return NOBODY;
    const { aud, exp } = claims;
    const scopes = Object.freeze([...(options.scopes ?? scopesOf)(claims)]);
    const held = holdToken({ scopes, audience: aud, claims }, token);
    const caller = Object.freeze({ user, token: held });
    if (source.latest === keys) {
      callers.set(header, caller, { keys, nowMs: now(), expiresAtMs: exp * 1000 });
    }
    return caller;
  };

  return {
    authorizationServers: [issuer],
    authenticate: (request) => {
      const header = request.headers.get("authorization");
      if (header === null) return refuseHeader(header);
      const known = callers.get(header, source.latest, now());
      if (known !== undefined) return known;
      const token = bearerToken(header);
      return token === undefined ? refuseHeader(header) : verify(token, header);
    },
    checkServer: ({ publicUrl }) => {
      if (options.audience !== undefined) return;
      if (publicUrl === undefined) {
        throw new ConfigurationError(
          "Cannot create server: jwtAuth() needs publicUrl or an audience, " +
            "without which it takes tokens that were issued for others",
        );
      }
      if (audience !== undefined && audience[0] !== publicUrl) {
        throw new ConfigurationError(
          "Cannot create server: this jwtAuth() serves another publicUrl; make one for each",
        );
      }
      audience = spellingsOf(publicUrl);
    },
  };
}

const NOBODY: RefusedCredential = { because: "The option user names nobody for the subject" };

/** Finds the key that a header names. */
type Keys = ReturnType<typeof createLocalJWKSet>;

interface Verifier extends Pick<JwtAuthOptions, "issuer" | "algorithms" | "type"> {
  readonly audience: readonly string[];
  readonly clockToleranceMs?: number;
  readonly now: () => number;
  readonly source: KeySource<Keys>;
}

interface Verified {
  readonly claims: JwtClaims;
  /** The key set that was used. */
  readonly keys: Keys;
}

/** @returns What the token says, or why it is not good. */
async function verifyToken(
  token: string,
  verifier: Verifier,
): Promise<Verified | RefusedCredential> {
  const { issuer, audience, algorithms = JWT_ALGORITHMS, type, source } = verifier;
  let keys: Keys | undefined;
  const findKey = async (header: JWTHeaderParameters): ReturnType<Keys> => {
    if (FOREIGN_KEYS.some((name) => Object.hasOwn(header, name))) throw new errors.JWSInvalid();
    const current = keys = await source.current();
    try {
      return await current(header);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
      keys = await source.renew(current);
      if (keys === undefined) throw cause;
      return await keys(header);
    }
  };
  try {
    const { payload } = await jwtVerify(token, findKey, {
      issuer,
      audience: [...audience],
      algorithms: [...algorithms],
      requiredClaims: ["exp", "sub"],
      clockTolerance: (verifier.clockToleranceMs ?? 5000) / 1000,
      currentDate: new Date(verifier.now()),
      ...(type === undefined ? {} : { typ: type }),
    });
    if (typeof payload.sub !== "string" || payload.sub === "" || keys === undefined) {
      return { because: "The token names no subject" };
    }
    return { claims: freezeDeep(payload as JwtClaims), keys };
  } catch (cause) {
    if (cause instanceof KeysUnavailableError) throw cause; // says nothing about the token
    return { because: describeJwtError(cause) };
  }
}

const FOREIGN_KEYS = ["jku", "jwk", "x5c", "x5u"] as const;

function createSource(options: JwtAuthOptions, now: () => number): KeySource<Keys> {
  const { issuer, keys, fetch = globalThis.fetch } = options;
  if (keys !== undefined) {
    const set = createLocalJWKSet({ keys: [...keys] });
    return {
      latest: set,
      current: () => Promise.resolve(set),
      renew: () => Promise.resolve(undefined),
    };
  }
  let { jwksUrl } = options;
  let loaded: { readonly text: string; readonly set: Keys } | undefined;
  return createKeySource(async () => {
    jwksUrl ??= await findJwksUrl(issuer, fetch);
    const { status, body } = await fetchJson(jwksUrl, { fetch });
    if (status !== 200) throw new Error(`Cannot load keys: ${jwksUrl} answered ${status}`);
    const text = JSON.stringify(body);
    if (text !== loaded?.text) { // the same keys stay the same object, and nothing is forgotten
      loaded = { text, set: createLocalJWKSet(body as Parameters<typeof createLocalJWKSet>[0]) };
    }
    return loaded.set;
  }, now);
}

async function userOf<User extends Principal>(
  claims: JwtClaims,
  options: JwtAuthOptions<User>,
): Promise<User | null> {
  const principal = Object.freeze({ id: `${claims.iss}|${claims.sub}`, authenticated: true });
  if (options.user === undefined) return principal as Principal as User;
  const user = await options.user(claims, principal) ?? null;
  if (user === null || user.id === principal.id) return user;
  throw new TypeError("Cannot authenticate: user() must keep the id of the principal");
}

function scopesOf({ scope, scp }: JwtClaims): readonly string[] {
  const value = scope ?? scp;
  if (typeof value === "string") return value.split(" ").filter((one) => one !== "");
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** An empty path and `/` are one resource (RFC 3986, section 6.2.3); authors and clients differ. */
function spellingsOf(publicUrl: string): readonly string[] {
  const { origin, pathname, href } = new URL(publicUrl);
  return pathname === "/" ? [publicUrl, origin, href] : [publicUrl];
}
