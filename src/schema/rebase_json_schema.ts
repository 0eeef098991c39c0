import { isSchemaObject, type JsonSchema } from "./json_schema_document.ts";
import { walkJsonSchema } from "./walk_json_schema.ts";

/** A schema that can stand anywhere in a document, and what that document must then define. */
export interface RebasedSchema {
  /** The schema, without its definitions. */
  readonly schema: JsonSchema;
  /** What belongs at the root of the document: `$schema`, `$defs`, `definitions`. */
  readonly root: JsonSchema;
}

const ROOT_KEYWORDS = ["$schema", "$defs", "definitions"];

/**
 * Separates a schema from its definitions, so that its references still lead to the same places
 * when the definitions stand at the root of another document.
 *
 * A reference to the schema's own root, or into it, becomes one to a definition that holds a copy.
 * A schema with an `$id` is a resource of its own and stays whole.
 *
 * @param schema A schema whose references are local.
 * @returns The schema and its definitions.
 *
 * @example
 * ```ts
 * import { rebaseJsonSchema } from "./rebase_json_schema.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const node = { type: "object", properties: { next: { $ref: "#" } } };
 * const rebased = { type: "object", properties: { next: { $ref: "#/$defs/root" } } };
 * assertEquals(rebaseJsonSchema(node), { schema: rebased, root: { $defs: { root: rebased } } });
 * ```
 */
export function rebaseJsonSchema(schema: JsonSchema): RebasedSchema {
  if (Object.hasOwn(schema, "$id")) return { schema, root: {} };
  const copy = structuredClone(schema) as Record<string, unknown>;
  const root: Record<string, unknown> = {};
  for (const keyword of ROOT_KEYWORDS) {
    if (copy[keyword] !== undefined) root[keyword] = copy[keyword];
  }
  const inward = [...walkJsonSchema(copy)].map(({ schema: one }) => one)
    .filter(({ $ref }) =>
      typeof $ref === "string" && /^#(?!\/(\$defs|definitions)\/|[^/])/.test($ref)
    );
  for (const keyword of ROOT_KEYWORDS) delete copy[keyword];
  if (inward.length === 0) return { schema: copy, root };
  const name = freshName(root["$defs"]);
  for (const one of inward as { $ref: string }[]) one.$ref = `#/$defs/${name}${one.$ref.slice(1)}`;
  const defs = isSchemaObject(root["$defs"]) ? root["$defs"] : {};
  return { schema: copy, root: { ...root, $defs: { ...defs, [name]: copy } } };
}

function freshName(defs: unknown): string {
  let name = "root";
  while (isSchemaObject(defs) && Object.hasOwn(defs, name)) name += "_";
  return name;
}
