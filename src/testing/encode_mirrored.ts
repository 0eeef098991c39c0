/**
 * Writes a value of the body as a header that mirrors it: plain where a header can carry it,
 * otherwise base64 of its UTF-8 between the marks of the specification.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding}
 */
export function encodeMirrored(text: string): string {
  const isPlain = /^[\x21-\x7E]+( +[\x21-\x7E]+)*$/.test(text) && !text.startsWith("=?base64?");
  if (isPlain) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
