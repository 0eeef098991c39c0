import { escapeForWire } from "./serialize.ts";

/** Writes one text block of a result's content, as JSON text. */
export function textBlock(text: string): string {
  return `{"type":"text","text":${escapeForWire(JSON.stringify(text))}}`;
}
