import { quote } from "./serialize.ts";

/** Writes one text block of a result's content, as JSON text. */
export function textBlock(text: string): string {
  return `{"type":"text","text":${quote(text)}}`;
}
