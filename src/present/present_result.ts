import { isJsonObject } from "../protocol/json.ts";
import { encodeBase64, isBytes } from "./base64.ts";
import { escapeForWire, serialize } from "./serialize.ts";
import { errorResult } from "./error_result.ts";
import type { ResultText } from "./result_text.ts";
import { textBlock } from "./text_block.ts";
import { isBlockList, ToolResult } from "./tool_result.ts";

/** What a tool's value becomes on the wire. Never guessed from the value. */
export type ContentKind = "json" | "text" | "image" | "audio" | "links" | "blocks";

/** How a tool's values are presented. */
export interface Presentation {
  /** For errors: the tool's name. */
  readonly tool: string;
  /** What a value becomes. */
  readonly contentKind: ContentKind;
  /** Media type of `image` and `audio`. */
  readonly contentMimeType: string | undefined;
  /** The author's words, in place of the JSON text. */
  readonly text: ((value: unknown) => string) | undefined;
  /** Whether an output is declared: then a string is JSON like any other value. */
  readonly hasOutput: boolean;
  /** Whether `structuredContent` is sent. */
  readonly structuredContent: boolean;
  /** Whether values are wrapped for legacy callers; where no output is declared, each value tells. */
  readonly wrapsForLegacy: boolean | undefined;
}

/** A value to present. */
export interface PresentedValue {
  /** What is served. */
  readonly value: unknown;
  /** What the author's words are about. Default: the value. */
  readonly subject?: unknown;
  /** Whether there is nothing to present, which is served as `{}` (K-96). */
  readonly isNothing?: boolean;
}

/**
 * Presents a value: serialises it once, and splices that text into both the content and
 * `structuredContent`.
 *
 * @returns The result; a failure of type `output_encoding` where the value does not fit the kind.
 * @throws {Error} what cannot be written as JSON.
 */
export function presentResult(
  { value, subject = value, isNothing = false }: PresentedValue,
  how: Presentation,
): ResultText | Promise<ResultText> {
  if (value instanceof ToolResult) return byHand(value, how);
  switch (how.contentKind) {
    case "json":
      return asJson(isNothing ? {} : value, isNothing ? value : subject, how);
    case "text":
      return typeof value === "string"
        ? { members: `"content":[${textBlock(value)}]` }
        : misfit("a string", value, how);
    case "image":
    case "audio":
      return asMedia(value, how);
    case "links":
      return asLinks(value, how);
    case "blocks":
      return isBlockList(value)
        ? { members: `"content":${serialize(value)}` }
        : misfit("a list of content blocks", value, how);
  }
}

function asJson(value: unknown, subject: unknown, how: Presentation): ResultText {
  if (typeof value === "string" && !how.hasOutput) {
    const words = how.text === undefined ? textBlock(value) : wordsBlock(how.text, value);
    return { members: `"content":[${words}]` };
  }
  const words = how.text === undefined ? undefined : wordsBlock(how.text, subject);
  return presentJson(serialize(value), how, words);
}

/**
 * Presents JSON text that this process has written.
 *
 * @param json The text.
 * @param words A block of the author's words. Default: the text is the block as well.
 */
export function presentJson(json: string, how: Presentation, words?: string): ResultText {
  // The text is escaped already: the second stringify only quotes it.
  const block = words ?? `{"type":"text","text":${JSON.stringify(json)}}`;
  const members = `"content":[${block}]`;
  return how.structuredContent ? { members, ...structured(json, how) } : { members };
}

function wordsBlock(text: (value: unknown) => unknown, value: unknown): string {
  const words = text(value);
  if (typeof words !== "string") {
    throw new TypeError(
      `Cannot present a result: text() must answer a string, got ${typeof words}`,
    );
  }
  return textBlock(words);
}

async function asMedia(value: unknown, how: Presentation): Promise<ResultText> {
  if (typeof value !== "string" && !isBytes(value)) {
    return misfit("bytes or base64 text", value, how);
  }
  const data = typeof value === "string" ? value : await encodeBase64(value);
  const block = { type: how.contentKind, data, mimeType: how.contentMimeType };
  return { members: `"content":[${escapeForWire(JSON.stringify(block))}]` };
}

function asLinks(value: unknown, how: Presentation): ResultText {
  const links: readonly unknown[] = Array.isArray(value) ? value : [value];
  const blocks: string[] = [];
  for (const link of links) {
    if (!isJsonObject(link) || typeof link.uri !== "string" || typeof link.name !== "string") {
      return misfit("objects with uri and name", link, how);
    }
    blocks.push(serialize({ ...link, type: "resource_link" }));
  }
  const members = `"content":[${blocks.join(",")}]`;
  return { members, ...structured(serialize(value), how) };
}

function byHand({ options }: ToolResult, how: Presentation): ResultText {
  const { content, structuredContent, isError = false, meta } = options;
  const members = `"content":${serialize(content)}${isError ? ',"isError":true' : ""}`;
  return {
    members,
    isError,
    ...(structuredContent === undefined ? {} : structured(serialize(structuredContent), how)),
    ...(meta === undefined ? {} : { meta: serialize({ ...meta }) }),
  };
}

function structured(
  json: string,
  how: Presentation,
): Pick<ResultText, "structured" | "wrapsForLegacy"> {
  return { structured: json, wrapsForLegacy: how.wrapsForLegacy ?? !json.startsWith("{") };
}

function misfit(expected: string, value: unknown, how: Presentation): ResultText {
  const got = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  const { tool, contentKind } = how;
  const message =
    `Tool "${tool}" declares contentKind "${contentKind}": expected ${expected}, got ${got}`;
  return errorResult({ type: "output_encoding", message });
}
