import type { JsonObject } from "../../protocol/json.ts";

/** Whether the values of an output schema are wrapped for legacy callers. */
export function isWrapped(schema: JsonObject): boolean {
  return schema.type !== "object";
}

/**
 * Writes an output schema for legacy callers, whose revisions allow objects only: anything else is
 * wrapped as `{ "result": … }`, like the value itself (M-15). `$defs` stay at the root, where local
 * references find them.
 */
export function wrapOutputSchema(schema: JsonObject): JsonObject {
  if (!isWrapped(schema)) return schema;
  const { $defs, $schema, ...inner } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { result: inner },
    required: ["result"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}
