import { isSchemaObject, type JsonSchema } from "./json_schema_document.ts";
import { resolveReference } from "./resolve_reference.ts";
import type { StandardSchema } from "./standard_schema.ts";

/** Keywords that describe and demand nothing. */
const ANNOTATIONS = new Set([
  "$comment",
  "$defs",
  "$schema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);
const PROBES: readonly unknown[] = ["probe", 42, true, {}, []];

/**
 * Looks for a type that a conversion lost: a part that converted to the schema of anything, while
 * its validator does not take anything (a date, say, for which JSON has no type).
 *
 * The validator is asked about a few values at each such place; an asynchronous one is left alone,
 * and so are the parts of alternatives, since no issue tells where they failed.
 *
 * @param schema The validator.
 * @param described What it converted to.
 * @returns The first such place, as keys joined by dots, or `undefined`.
 *
 * @example
 * ```ts
 * import { findLostType } from "./find_lost_type.ts";
 * import { type } from "arktype";
 * import { assertEquals } from "@std/assert";
 *
 * const described = { type: "object", properties: { due: {} } };
 * assertEquals(findLostType(type({ due: "Date" }), described), "due");
 * assertEquals(findLostType(type({ due: "unknown" }), described), undefined);
 * ```
 */
export function findLostType(schema: StandardSchema, described: JsonSchema): string | undefined {
  for (const path of findOpenPlaces(described, described, [], new Set())) {
    if (PROBES.some((probe) => isRefused(schema, path, probe))) {
      return path.length === 0 ? "the root" : path.join(".");
    }
  }
  return undefined;
}

type Path = readonly (string | number)[];

function* findOpenPlaces(
  schema: unknown,
  root: JsonSchema,
  path: Path,
  seen: Set<unknown>,
): Generator<Path> {
  if (!isSchemaObject(schema) || seen.has(schema)) return;
  seen.add(schema); // a recursive type refers to itself
  const { $ref, properties, items, prefixItems, additionalProperties } = schema;
  if (Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))) yield path;
  if (typeof $ref === "string") {
    yield* findOpenPlaces(resolveReference($ref, root), root, path, seen);
  }
  for (const [key, one] of Object.entries(properties ?? {})) {
    yield* findOpenPlaces(one, root, [...path, key], seen);
  }
  const tuple = Array.isArray(prefixItems) ? prefixItems : [];
  for (const [index, one] of tuple.entries()) {
    yield* findOpenPlaces(one, root, [...path, index], seen);
  }
  yield* findOpenPlaces(items, root, [...path, tuple.length], seen);
  yield* findOpenPlaces(additionalProperties, root, [...path, "probe"], seen);
}

function isRefused(schema: StandardSchema, path: Path, probe: unknown): boolean {
  let value = probe;
  for (const key of path.toReversed()) {
    value = typeof key === "number" ? new Array(key).fill(null).concat([value]) : { [key]: value };
  }
  try {
    const result = schema["~standard"].validate(value);
    if (result instanceof Promise) {
      result.catch(() => {});
      return false;
    }
    return (result.issues ?? []).some((issue) => {
      const keys = (issue.path ?? []).map((one) => String(typeof one === "object" ? one.key : one));
      return keys.length >= path.length && path.every((key, index) => keys[index] === String(key));
    });
  } catch {
    return false; // a check of the author's that does not expect this value
  }
}
