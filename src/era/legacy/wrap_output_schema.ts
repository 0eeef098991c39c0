import type { JsonObject } from "../../protocol/json.ts";

/**
 * Writes an output schema for legacy callers, whose revisions allow objects only: anything else is
 * wrapped as `{ "result": … }`, like the value itself (M-15). Where both may be, objects are not. `$defs` stay at the root, where local
 * references find them.
 */
export function wrapOutputSchema(schema: JsonObject): JsonObject {
  const { $defs, $schema, ...inner } = schema;
  const { type } = inner;
  if (type === "object") return schema;
  const root = {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    ...($defs === undefined ? {} : { $defs }),
  };
  if (!Array.isArray(type) || !type.includes("object")) {
    return {
      ...root,
      properties: { result: inner },
      required: ["result"],
      additionalProperties: false,
    };
  }
  // An object stands as it is, and only what else there may be is wrapped.
  const { properties, required: _, additionalProperties: __, ...result } = inner;
  const types = type.filter((one) => one !== "object");
  return {
    ...root,
    properties: { ...properties as JsonObject | undefined, result: { ...result, type: types } },
  };
}
