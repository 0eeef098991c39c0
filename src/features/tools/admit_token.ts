import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

/**
 * Writes the input schema of a tool that takes tokens as it is listed: a call that brings a token brings
 * nothing else, so that nothing is required of every call. What the tool needs to run is told in words,
 * since model APIs take no combinator at the root; the argument check is what it was.
 */
export function admitToken(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema;
  const { properties } = rest;
  if (!Array.isArray(required) || required.length === 0 || !isJsonObject(properties)) return schema;
  const token = properties.continuation_token as JsonObject;
  const description = `${token.description} Without one, send ${required.join(", ")}.`;
  return { ...rest, properties: { ...properties, continuation_token: { ...token, description } } };
}
