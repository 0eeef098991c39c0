import { isJsonObject, type JsonObject } from "../protocol/json.ts";

/** What else a tool may answer than its value. */
export interface OtherAnswers {
  /** The fields of the other answers, which are objects. */
  readonly properties: JsonObject;
  /** Which of the value's fields every other answer has. */
  readonly always: readonly string[];
  /**
   * Whether parts of the value are answered as well, whose fields may be missing or written as text: then
   * only their names are told.
   */
  readonly isPartial: boolean;
}

const ALL_TYPES = ["object", "array", "string", "number", "boolean", "null"];

/** Keywords beside which a closed object stays closed: they name every field there is. */
const PLAIN = new Set([
  "$comment",
  "$defs",
  "$schema",
  "additionalProperties",
  "description",
  "properties",
  "required",
  "title",
  "type",
]);

/**
 * Widens the schema of a value so that the other answers conform to it as well: one object with the
 * fields of both, of which only those are required that both have. No combinator stands at the root
 * (X-1).
 */
export function widenOutputSchema(schema: JsonObject, other: OtherAnswers): JsonObject {
  const types = typesOf(schema);
  const isObject = types.length === 1 && types[0] === "object";
  const own = types.includes("object") && isJsonObject(schema.properties) ? schema.properties : {};
  const properties = merge(other.isPartial ? namesOf(own) : own, other.properties);
  const { title, description, $defs, $schema, items, prefixItems } = schema;
  return {
    ...present({ $schema, title, description }),
    type: isObject ? "object" : ["object", ...types.filter((type) => type !== "object")],
    properties,
    ...(isObject ? objectRules(schema, other) : {}),
    ...(isObject || other.isPartial ? {} : present({ items, prefixItems })),
    ...(other.isPartial ? {} : present({ $defs })),
  };
}

function typesOf({ type }: JsonObject): readonly unknown[] {
  if (type === undefined) return ALL_TYPES;
  return Array.isArray(type) ? type : [type];
}

/** Other rules at the root hold for the value alone, and are left out: that only widens. */
function objectRules(schema: JsonObject, { always, isPartial }: OtherAnswers): JsonObject {
  if (isPartial) return {};
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => always.includes(name))
    : [];
  const isPlain = Object.keys(schema).every((key) => PLAIN.has(key));
  const { additionalProperties } = schema;
  return {
    ...(required.length === 0 ? {} : { required }),
    ...(isPlain ? present({ additionalProperties }) : {}),
  };
}

/** The fields of a value of which parts are answered. */
function namesOf(properties: JsonObject): JsonObject {
  const names: Record<string, unknown> = Object.create(null);
  for (const [name, schema] of Object.entries(properties)) {
    const { title, description } = isJsonObject(schema) ? schema : {};
    names[name] = present({ title, description });
  }
  return names;
}

/** A field that both have is either. */
function merge(own: JsonObject, more: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...own };
  for (const [name, schema] of Object.entries(more)) {
    const isShared = Object.hasOwn(own, name) && !isSame(own[name], schema);
    merged[name] = isShared ? { anyOf: [own[name], schema] } : schema;
  }
  return merged;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
