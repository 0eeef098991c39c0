import type { Token } from "../ports/principal.ts";

/**
 * Makes a token whose raw text stays with it, for `tokenExchange()` alone: no property holds it, and
 * neither printing, copying nor serialising the token shows it. For authenticators of one's own.
 *
 * @param token What callables may know of the credential.
 * @param raw The credential as it was sent.
 *
 * @example
 * ```ts
 * import { holdToken } from "@limen/mcp/auth";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const token = holdToken({ scopes: ["read"] }, "abc.def");
 * assertEquals(token.scopes, ["read"]);
 * assert(!Deno.inspect(token).includes("abc.def"));
 * ```
 */
export function holdToken(token: Token, raw: string): Token {
  return new HeldToken(token, raw);
}

/** Reads the raw text of a token; `undefined` where none is held. Never handed to a callable. */
export function revealToken(token: Token): string | undefined {
  return reveal(token);
}

/** The same token with other scopes. */
export function withScopes(token: Token, scopes: readonly string[]): Token {
  const raw = reveal(token);
  const changed = { ...token, scopes };
  return raw === undefined ? Object.freeze(changed) : new HeldToken(changed, raw);
}

/** Not a static method: whoever has a token has its class. */
let reveal: (token: Token) => string | undefined;

class HeldToken implements Token {
  declare readonly scopes: readonly string[];
  declare readonly audience?: string | readonly string[];
  declare readonly claims?: Readonly<Record<string, unknown>>;
  readonly #raw: string;

  static {
    reveal = (token) => #raw in token ? token.#raw : undefined;
  }

  constructor(token: Token, raw: string) {
    Object.assign(this, token);
    this.#raw = raw;
    Object.freeze(this);
  }
}
