const PREFIX = "=?base64?";
const SUFFIX = "?=";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads a header value that mirrors a value of the body: plain, or base64 of UTF-8 between the
 * case-sensitive marks `=?base64?` and `?=`.
 *
 * @param value The header's value.
 * @returns The text, or `undefined` where the marks enclose anything but strict base64 of UTF-8, or
 * the value holds a character that a header may not carry.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding}
 */
export function decodeMirrored(value: string): string | undefined {
  if (!value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) {
    return isPlain(value) ? value : undefined;
  }
  if (value.length < PREFIX.length + SUFFIX.length) return value;
  const base64 = value.slice(PREFIX.length, -SUFFIX.length);
  if (!BASE64.test(base64)) return undefined;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isPlain(value: string): boolean {
  return /^[\t\x20-\x7E]*$/.test(value);
}
