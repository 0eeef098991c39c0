/**
 * Digests a text.
 *
 * @returns The SHA-256 of its UTF-8: 32 bytes.
 */
export async function digestText(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
