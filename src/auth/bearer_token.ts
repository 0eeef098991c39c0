const MAX_HEADER_LENGTH = 8192;

/**
 * Reads the token of a Bearer header; the scheme's case does not matter (RFC 9110, section 11.1).
 *
 * @param header The value of `Authorization`.
 * @returns The token, or `undefined` where there is none, or one of over 8 KiB.
 */
export function bearerToken(header: string | null): string | undefined {
  if (header === null || header.length > MAX_HEADER_LENGTH) return undefined;
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}
