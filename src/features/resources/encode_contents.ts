import { encodeBase64, isBytes } from "../../present/base64.ts";
import { quote, serialize } from "../../present/serialize.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import { overCeiling } from "../../present/result_size.ts";
import { collectBytes } from "../../ports/collect_bytes.ts";
import { type Binary, ResourceContents } from "./resource_contents.ts";

/**
 * What a resource's value becomes: JSON text, a text as it is, bytes in base64, or what each
 * `resourceContents()` says of itself.
 */
export type Encoding = "json" | "text" | "blob" | "contents";

/** How the values of a resource are written. */
export interface ContentsOptions {
  /** What a value becomes. */
  readonly encoding: Encoding;
  /** Media type, as given; absent where contents say their own. */
  readonly mimeType: string | undefined;
  /** JSON text of `_meta`, if there is any. */
  readonly meta: string | undefined;
  /** The author's words for a value, where it is served as text. */
  readonly text: ((value: unknown) => string) | undefined;
  /** Ceiling of the encoded result in bytes. */
  readonly maxResultBytes: number;
}

/** The members of a result, or why there is none. */
export type Encoded =
  | { readonly members: string }
  | { readonly misfit: string }
  | { readonly tooLarge: number };

/**
 * Writes the contents of a resource as the members of a `resources/read` result.
 *
 * Bytes that are over the ceiling are refused before they are encoded, and a stream of them is
 * read no further than that.
 *
 * @param uri The URI as it was asked for.
 * @param value What was answered.
 * @param how How it is written.
 */
export function encodeContents(
  uri: string,
  value: unknown,
  how: ContentsOptions,
): Awaitable<Encoded> {
  if (value instanceof ResourceContents) {
    const { options } = value;
    const { mimeType = how.mimeType, meta } = options;
    const own = {
      ...how,
      mimeType,
      meta: meta === undefined ? how.meta : serialize({ ...meta }),
    };
    return "text" in options
      ? encodeText(uri, options.text, own)
      : encodeBinary(uri, options.bytes, own);
  }
  switch (how.encoding) {
    case "json": // escaped already: the second stringify only quotes it
      return finish(uri, `"text":${JSON.stringify(serialize(value))}`, how);
    case "text":
      return encodeText(uri, how.text === undefined ? value : how.text(value), how);
    case "blob":
      return isBinary(value) ? encodeBinary(uri, value, how) : misfit(value, "bytes");
    case "contents":
      return misfit(value, "resourceContents()");
  }
}

function encodeText(uri: string, value: unknown, how: ContentsOptions): Encoded {
  if (typeof value !== "string") return misfit(value, "a string");
  return finish(uri, `"text":${quote(value)}`, how);
}

async function encodeBinary(uri: string, value: Binary, how: ContentsOptions): Promise<Encoded> {
  const { maxResultBytes } = how;
  if (!isBinary(value)) return misfit(value, "bytes");
  const bytes = isBytes(value) ? value : await collectBytes(value, maxResultBytes);
  if (bytes === undefined) return { tooLarge: maxResultBytes };
  const size = bytes instanceof Blob ? bytes.size : bytes.byteLength;
  const { before, after } = frame(uri, how);
  const length = before.length + after.length + 9 + Math.ceil(size / 3) * 4;
  if (length > maxResultBytes) return { tooLarge: length };
  // Base64 needs no escape: the text is spliced as it is.
  return { members: `${before}"blob":"${await encodeBase64(bytes)}"${after}` };
}

function finish(uri: string, contents: string, how: ContentsOptions): Encoded {
  const { before, after } = frame(uri, how);
  const members = before + contents + after;
  const tooLarge = overCeiling({ members }, how.maxResultBytes);
  return tooLarge === undefined ? { members } : { tooLarge };
}

function frame(
  uri: string,
  { mimeType, meta }: ContentsOptions,
): { readonly before: string; readonly after: string } {
  const kind = mimeType === undefined ? "" : `"mimeType":${quote(mimeType)},`;
  const before = `"contents":[{"uri":${quote(uri)},${kind}`;
  return { before, after: meta === undefined ? "}]" : `,"_meta":${meta}}]` };
}

function isBinary(value: unknown): value is Binary {
  return isBytes(value) || value instanceof ReadableStream;
}

function misfit(value: unknown, expected: string): Encoded {
  const got = value === null
    ? "null"
    : Array.isArray(value)
    ? "a list"
    : isBinary(value)
    ? "bytes"
    : typeof value;
  return { misfit: `expected ${expected}, got ${got}` };
}
