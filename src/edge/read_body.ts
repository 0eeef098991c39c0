/**
 * Reads a body as text, and stops as soon as it is over the limit.
 *
 * A declared length within the limit is trusted, since the transport enforces it; everything else is
 * counted while it arrives.
 *
 * @param request The request.
 * @param maxBytes The limit in bytes.
 * @returns The text, or `undefined` where the body is larger.
 * @throws {Error} when the client leaves before the body has arrived.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null && /^[0-9]{1,15}$/.test(declared)) {
    return Number(declared) > maxBytes ? undefined : await request.text();
  }
  return request.body === null ? "" : await readCounted(request.body, maxBytes);
}

async function readCounted(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<string | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
