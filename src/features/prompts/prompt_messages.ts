import { serialize } from "../../present/serialize.ts";
import type { PromptMessage } from "../../protocol/prompt_message.ts";
import type { ContentBlock } from "../../protocol/content.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

/** A message as an author writes it: a text is what the user says. */
export type PromptPart = string | PromptMessage | {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** What is said. */
  readonly content: string;
};

/** What a prompt renders to: a message, or several in order. */
export type PromptAnswer = PromptPart | readonly PromptPart[];

/** For each kind of block, the members that are text. */
const BLOCKS: Readonly<Record<ContentBlock["type"], readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

/**
 * Writes what a prompt rendered as the JSON text of its messages.
 *
 * @param answer What was rendered, with types or without.
 * @returns JSON text of a list, or `undefined` where something is no message.
 */
export function writeMessages(answer: unknown): string | undefined {
  const parts: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const messages: JsonObject[] = [];
  for (const part of parts) {
    const message = toMessage(part);
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return serialize(messages);
}

function toMessage(part: unknown): JsonObject | undefined {
  if (typeof part === "string") return { role: "user", content: { type: "text", text: part } };
  if (!isJsonObject(part)) return undefined;
  const { role, content } = part;
  if (role !== "user" && role !== "assistant") return undefined;
  if (typeof content === "string") return { role, content: { type: "text", text: content } };
  return isBlock(content) ? { role, content } : undefined;
}

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.type !== "string") return false;
  if (!Object.hasOwn(BLOCKS, value.type)) return false;
  const members = BLOCKS[value.type as ContentBlock["type"]];
  if (!members.every((member) => typeof value[member] === "string")) return false;
  if (value.type !== "resource") return true;
  const { resource } = value;
  return isJsonObject(resource) && typeof resource.uri === "string" &&
    (typeof resource.text === "string") !== (typeof resource.blob === "string");
}
