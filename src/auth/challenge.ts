/** What a challenge tells a client. */
export interface ChallengeOptions {
  /** Why the credential was not enough. Default: nothing is said, as no credential was sent. */
  readonly error?: "invalid_token" | "insufficient_scope";
  /** Every scope that is asked for. Default: none is named. */
  readonly scopes?: readonly string[];
}

/**
 * Writes the value of `WWW-Authenticate` (RFC 6750, section 3).
 *
 * @param options What to tell. Scopes are those that registration admitted, so that no value can
 * break out of its quotes.
 */
export function challenge(options: ChallengeOptions): string {
  const { error, scopes = [] } = options;
  let value = 'Bearer realm="mcp"';
  if (error !== undefined) value += `, error="${error}"`;
  if (scopes.length > 0) value += `, scope="${scopes.join(" ")}"`;
  return value;
}
