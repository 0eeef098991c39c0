import type { ResultText } from "./result_text.ts";

/**
 * Measures a result against a ceiling, without encoding it where its length alone decides.
 *
 * @param result The result.
 * @param maxBytes The ceiling in bytes of UTF-8.
 * @returns The size in bytes where it is over the ceiling, otherwise `undefined`.
 */
export function overCeiling(result: ResultText, maxBytes: number): number | undefined {
  const { members, structured = "", meta = "" } = result;
  const length = members.length + structured.length + meta.length;
  if (length * 3 <= maxBytes) return undefined;
  const bytes = sizeOf(result);
  return bytes > maxBytes ? bytes : undefined;
}

/** The size of a result in bytes of UTF-8, without what an era adds. */
export function sizeOf({ members, structured = "", meta = "" }: ResultText): number {
  return byteLength(members) + byteLength(structured) + byteLength(meta);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
