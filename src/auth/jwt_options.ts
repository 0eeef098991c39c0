import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal } from "../ports/principal.ts";

/** A signature algorithm with a public key: nothing that a shared secret could forge. */
export type JwtAlgorithm =
  | "ES256"
  | "ES384"
  | "ES512"
  | "Ed25519"
  | "EdDSA"
  | "PS256"
  | "PS384"
  | "PS512"
  | "RS256"
  | "RS384"
  | "RS512";

/** A public key as a JWK (RFC 7517). */
export type PublicJwk = Readonly<Record<string, unknown>> & { readonly kty: string };

/** The claims of a verified token. */
export type JwtClaims = Readonly<Record<string, unknown>> & {
  /** Who issued it. */
  readonly iss: string;
  /** Whom it stands for, to its issuer. */
  readonly sub: string;
  /** Whom it was issued for. */
  readonly aud: string | readonly string[];
  /** When it expires, in seconds since 1970. */
  readonly exp: number;
};

/** Options of `jwtAuth()`. */
export interface JwtAuthOptions<User extends Principal = Principal> {
  /** The authorization server, exactly as its tokens write it in `iss`. */
  readonly issuer: string;
  /**
   * Whom a token must be issued for. Default: the server's `publicUrl`. A token for anyone else is
   * refused, since its holder did not mean it for this server.
   */
  readonly audience?: string | readonly string[];
  /** Where the issuer's keys are. Default: where its metadata says. */
  readonly jwksUrl?: string;
  /** The issuer's public keys, in place of fetching them. */
  readonly keys?: readonly PublicJwk[];
  /** The algorithms that are taken. Default: RSA, ECDSA and EdDSA signatures. */
  readonly algorithms?: readonly JwtAlgorithm[];
  /** The `typ` that a token's header must have, such as `"at+jwt"`. Default: any. */
  readonly type?: string;
  /** How far the issuer's clock may be off, in milliseconds. Default 5000. */
  readonly clockToleranceMs?: number;
  /** Reads the scopes. Default: those of `scope`, or else of `scp`. */
  readonly scopes?: (claims: JwtClaims) => readonly string[];
  /**
   * Makes the user of the pool; asked once a minute for a token in use. It keeps the id of the
   * principal; `null` or `undefined` turns the caller away. Default: the principal.
   */
  readonly user?: (
    claims: JwtClaims,
    principal: Principal & { readonly id: string },
  ) => Awaitable<User | null | undefined>;
  /** Fetches metadata and keys. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** The time in milliseconds. Default: that of the platform. */
  readonly now?: () => number;
}

/** The algorithms that are known. */
export const JWT_ALGORITHMS: readonly JwtAlgorithm[] = [
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];
