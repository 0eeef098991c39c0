/** Tells whether a text is a scope (RFC 6749, section 3.3): visible ASCII, without `"` and `\`. */
export function isScope(text: unknown): text is string {
  return typeof text === "string" && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text);
}
