import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"];

/**
 * Reads the `inputResponses` of a request.
 *
 * @param value What the client sent.
 * @returns The responses by name, or `undefined` where they are no map of results of the requests that
 * a server can send (B87). Whose answers they are, and to what, is not looked at.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputresponses}
 */
export function readResponses(value: unknown): Readonly<Record<string, JsonObject>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.values(value).every(isResponse)
    ? value as Readonly<Record<string, JsonObject>>
    : undefined;
}

function isResponse(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (ACTIONS.includes(value.action)) {
    return value.content === undefined || isJsonObject(value.content);
  }
  if (Array.isArray(value.roots)) return value.roots.every(isRoot);
  const { role, content, model } = value;
  if (role !== "user" && role !== "assistant" || typeof model !== "string") return false;
  return Array.isArray(content) ? content.every(isJsonObject) : isJsonObject(content);
}

function isRoot(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.uri !== "string") return false;
  return value.name === undefined || typeof value.name === "string";
}
