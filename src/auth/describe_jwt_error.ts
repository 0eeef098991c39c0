/**
 * Says for the log why a JWT was refused: by the stable code of the error, and the claim where it is
 * about one. What the token says is not repeated; messages of the library may hold it.
 */
export function describeJwtError(cause: unknown): string {
  const { code, claim } = cause as { readonly code?: unknown; readonly claim?: unknown };
  const reason = typeof code === "string" ? REASONS[code] ?? code : "it could not be read";
  const about = typeof claim === "string" && /^[a-z]{1,16}$/.test(claim) ? ` (${claim})` : "";
  return `The token was refused: ${reason}${about}`;
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: "its algorithm is not allowed",
  ERR_JWKS_NO_MATCHING_KEY: "no key of the issuer is the one it names",
  ERR_JWS_INVALID: "it is no signed token, or brings a key of its own",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "its signature is not the issuer's",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "a claim is missing or wrong",
  ERR_JWT_EXPIRED: "it has expired",
  ERR_JWT_INVALID: "it is no JWT",
};
