import type { Caller } from "../ports/principal.ts";

/**
 * When the credential of a caller expires, by its claim in seconds (RFC 7519, section 4.1.4).
 *
 * @returns Milliseconds since the epoch; `undefined` where it does not.
 */
export function credentialExpiry({ token }: Caller): number | undefined {
  const exp = token?.claims?.exp;
  return typeof exp === "number" ? exp * 1000 : undefined;
}
