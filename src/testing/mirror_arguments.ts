import { isJsonObject, type JsonObject, ownValue } from "../protocol/json.ts";
import type { JsonSchema } from "../schema/json_schema_document.ts";
import { findMirroredHeaders } from "../schema/mirrored_headers.ts";
import { encodeMirrored } from "./encode_mirrored.ts";

/**
 * Repeats arguments in headers, as the tool's input schema asks for with `x-mcp-header`.
 *
 * @param inputSchema The schema as it is listed.
 * @param args The arguments.
 * @returns The headers.
 */
export function mirrorArguments(
  inputSchema: JsonSchema,
  args: JsonObject,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const { header, path } of findMirroredHeaders(inputSchema, "a listed tool")) {
    let value: unknown = args;
    for (const key of path) value = isJsonObject(value) ? ownValue(value, key) : undefined;
    if (value !== undefined && value !== null) headers[header] = encodeMirrored(String(value));
  }
  return headers;
}
