/**
 * Reads a stream of bytes to its end, or until it is longer than it may be.
 *
 * @param stream The stream; cancelled where it is too long.
 * @param maxBytes How many bytes at most.
 * @returns All bytes, or `undefined` where there are more.
 * @throws {TypeError} for a chunk that is not made of bytes, and whatever the stream fails with.
 */
export async function collectBytes(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) { // leaving early cancels it
    if (!(chunk instanceof Uint8Array)) {
      throw new TypeError("Cannot read a stream: a chunk is not made of bytes");
    }
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
