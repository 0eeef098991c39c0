/** Whoever calls. An anonymous caller is a value with `authenticated: false`, never null. */
export interface Principal {
  /** Stable id, unique within the server; absent for an anonymous caller. */
  readonly id?: string;
  /** Whether a credential named someone. */
  readonly authenticated: boolean;
  /** Whether the account is in use. Default `true`. */
  readonly active?: boolean;
}

/** What is known of the credential; never the raw token. */
export interface Token {
  /** What the credential permits. */
  readonly scopes: readonly string[];
  /** Whom the credential was issued for. */
  readonly audience?: string | readonly string[];
  /** Verified claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Who calls, and what the credential allows: what an authenticator answers. */
export interface Caller<User extends Principal = Principal> {
  /** Whoever calls. */
  readonly user: User;
  /** The credential, if there was one. */
  readonly token?: Token;
}

/** Nobody in particular. */
export const anonymous: Principal = Object.freeze({ authenticated: false });
