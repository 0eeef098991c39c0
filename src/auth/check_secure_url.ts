import { ConfigurationError } from "../ports/configuration_error.ts";
import { isLoopback } from "../ports/is_loopback.ts";

/**
 * Checks that a URL may carry credentials or keys.
 *
 * @param url The URL.
 * @param where What it is, such as `"create jwtAuth(): issuer"`.
 * @throws {ConfigurationError} when it is another, or none.
 */
export function checkSecureUrl(url: string, where: string): void {
  if (isSecureUrl(url)) return;
  throw new ConfigurationError(`Cannot ${where} must be an https URL, or http on this machine`);
}

/** Tells whether a URL may carry credentials or keys: `https:`, or `http:` on this machine. */
export function isSecureUrl(url: unknown): url is string {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
