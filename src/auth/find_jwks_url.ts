import { isJsonObject } from "../protocol/json.ts";
import { isSecureUrl } from "./check_secure_url.ts";
import { fetchJson } from "./fetch_json.ts";

/**
 * Finds the key set of an issuer by its metadata (RFC 8414; OpenID Connect Discovery 1.0), at the
 * addresses and in the order in which MCP clients look for it.
 *
 * @param issuer The issuer; only metadata that names exactly this one counts.
 * @param fetch Fetches.
 * @throws {Error} when no address has such metadata.
 */
export async function findJwksUrl(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  for (const address of addressesOf(issuer)) {
    const { status, body } = await fetchJson(address, { fetch });
    if (status !== 200 || !isJsonObject(body) || body.issuer !== issuer) continue;
    if (isSecureUrl(body.jwks_uri)) return body.jwks_uri;
  }
  throw new Error(`Cannot find the key set: no metadata of ${issuer} names one`);
}

function addressesOf(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const addresses = ["oauth-authorization-server", "openid-configuration"]
    .map((name) => `${origin}/.well-known/${name}${path}`);
  if (path !== "") addresses.push(`${origin}${path}/.well-known/openid-configuration`);
  return addresses;
}
