/** What binary content may be made of. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView | Blob;

/** Tells bytes from anything else. */
export function isBytes(value: unknown): value is Bytes {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob;
}

/**
 * Encodes bytes as base64.
 *
 * @param value Bytes; of a view, only its window.
 * @returns Standard base64 with padding.
 */
export async function encodeBase64(value: Bytes): Promise<string> {
  if (value instanceof Blob) return encode(new Uint8Array(await value.arrayBuffer()));
  if (value instanceof ArrayBuffer) return encode(new Uint8Array(value));
  return encode(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
}

/** A multiple of three, so that the pieces join without padding. */
const CHUNK_BYTES = 0x6000;

function encode(bytes: Uint8Array): string {
  if ("toBase64" in bytes && typeof bytes.toBase64 === "function") return bytes.toBase64();
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK_BYTES) {
    text += btoa(String.fromCharCode(...bytes.subarray(i, i + CHUNK_BYTES)));
  }
  return text;
}
