import { ConfigurationError } from "../ports/configuration_error.ts";
import { findStray } from "../ports/find_stray.ts";
import { checkSecureUrl } from "./check_secure_url.ts";
import { JWT_ALGORITHMS, type JwtAuthOptions } from "./jwt_options.ts";

const KNOWN: readonly (keyof JwtAuthOptions)[] = [
  "algorithms",
  "audience",
  "clockToleranceMs",
  "fetch",
  "issuer",
  "jwksUrl",
  "keys",
  "now",
  "scopes",
  "type",
  "user",
];

/**
 * Checks the options of `jwtAuth()`.
 *
 * @throws {ConfigurationError} when one is wrong.
 */
export function checkJwtOptions(options: JwtAuthOptions): void {
  const stray = findStray(options, KNOWN, "an option");
  if (stray !== undefined) throw invalid(stray);
  const { issuer, audience, jwksUrl, keys, algorithms, clockToleranceMs = 0 } = options;
  checkSecureUrl(issuer, "create jwtAuth(): issuer");
  if (jwksUrl !== undefined) checkSecureUrl(jwksUrl, "create jwtAuth(): jwksUrl");
  const audiences = audience === undefined ? undefined : [audience].flat();
  if (audiences?.length === 0 || audiences?.includes("")) throw invalid("audience is empty");
  if (keys !== undefined && jwksUrl !== undefined) throw invalid("give keys or jwksUrl, not both");
  if (keys?.length === 0) throw invalid("keys is empty");
  if (keys?.some((key) => "d" in key || "k" in key)) {
    throw invalid("keys holds a private or a shared key; give public keys only");
  }
  const bad = algorithms?.find((name) => !JWT_ALGORITHMS.includes(name));
  if (bad !== undefined) throw invalid(`algorithm ${JSON.stringify(bad)} is not asymmetric`);
  if (algorithms?.length === 0) throw invalid("algorithms is empty");
  if (!(clockToleranceMs >= 0 && clockToleranceMs <= 300_000)) {
    throw invalid("clockToleranceMs must be 0 to 300000");
  }
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot create jwtAuth(): ${problem}`);
}
