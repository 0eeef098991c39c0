/** What stands before the kept part of a state, and says what it is good for. */
export interface StateHead {
  /** Keyed digest of the principal, 16 bytes. */
  readonly principal: Uint8Array;
  /** SHA-256 of the call as it was sent. */
  readonly call: Uint8Array;
  /** When it was made, in seconds since the epoch. */
  readonly issuedAt: number;
  /** Tells it from every other, 16 bytes. */
  readonly nonce: Uint8Array;
}

/** A state whose seal is good. */
export interface StatePayload extends StateHead {
  /** What is kept: a JSON object, or the digest of one that the store keeps. */
  readonly kept: string;
}

const VERSION = 1;
const HEAD_BYTES = 1 + 16 + 32 + 4 + 16;

/** Writes the payload of a state: version, head, and what is kept. */
export function writeStatePayload(
  { principal, call, issuedAt, nonce, kept }: StatePayload,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(kept);
  const bytes = new Uint8Array(HEAD_BYTES + text.length);
  bytes[0] = VERSION;
  bytes.set(principal, 1);
  bytes.set(call, 17);
  new DataView(bytes.buffer).setUint32(49, issuedAt);
  bytes.set(nonce, 53);
  bytes.set(text, HEAD_BYTES);
  return bytes;
}

/** Reads a payload whose seal is good; `undefined` for one of another version. */
export function readStatePayload(bytes: Uint8Array<ArrayBuffer>): StatePayload | undefined {
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined;
  return {
    principal: bytes.subarray(1, 17),
    call: bytes.subarray(17, 49),
    issuedAt: new DataView(bytes.buffer, bytes.byteOffset).getUint32(49),
    nonce: bytes.subarray(53, HEAD_BYTES),
    kept: new TextDecoder().decode(bytes.subarray(HEAD_BYTES)),
  };
}
