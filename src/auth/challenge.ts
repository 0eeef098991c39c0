/** What a challenge tells a client. */
export interface ChallengeOptions {
  /** Absolute URL of the protected-resource metadata. Default: none is named. */
  readonly resourceMetadata?: string;
  /** Why the credential was not enough. Default: nothing is said, as no credential was sent. */
  readonly error?: "invalid_token" | "insufficient_scope";
  /** Every scope that is asked for. Default: none is named. */
  readonly scopes?: readonly string[];
}

/**
 * Writes the value of `WWW-Authenticate` (RFC 6750, section 3; RFC 9728, section 5.1).
 *
 * @param options What to tell.
 * @throws {TypeError} for a value that could break out of its quotes; what is checked while a server
 * is built holds none.
 */
export function challenge(options: ChallengeOptions): string {
  const { resourceMetadata, error, scopes = [] } = options;
  let value = 'Bearer realm="mcp"';
  if (resourceMetadata !== undefined) value += parameter("resource_metadata", resourceMetadata);
  if (error !== undefined) value += parameter("error", error);
  if (scopes.length > 0) value += parameter("scope", scopes.join(" "));
  return value;
}

function parameter(name: string, value: string): string {
  if (/^[\x20\x21\x23-\x5B\x5D-\x7E]*$/.test(value)) return `, ${name}="${value}"`;
  throw new TypeError(`Cannot write challenge: ${name} holds a character that ends its quotes`);
}
