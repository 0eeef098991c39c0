/**
 * Whether a text could be a URI: a scheme, and nothing after it that a URI never holds. Characters
 * beyond ASCII pass, as clients send them unescaped.
 */
export function isUri(text: string): boolean {
  // deno-lint-ignore no-control-regex -- this is what no URI holds
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x1f\x7f]*$/.test(text);
}
