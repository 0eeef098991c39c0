import { mediaTypeOf } from "./media_type_of.ts";
import { type ResourceContents, resourceContents } from "./resource_contents.ts";

/**
 * Says what a file holds: text where its name and its bytes agree on that, bytes otherwise.
 *
 * @param path Its path, whose ending gives the media type.
 * @param bytes What is in it.
 */
export function fileContents(path: string, bytes: Uint8Array<ArrayBuffer>): ResourceContents {
  const mimeType = mediaTypeOf(path);
  const text = mimeType === undefined || TEXT.test(mimeType) ? decodeText(bytes) : undefined;
  return text === undefined
    ? resourceContents({ bytes, mimeType: mimeType ?? "application/octet-stream" })
    : resourceContents({ text, mimeType: mimeType ?? "text/plain" });
}

const TEXT = /^text\/|[/+](json|xml|yaml)$/;

function decodeText(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
