import { findLongString } from "./find_long_string.ts";
import { isRawJsonSchema } from "./json_schema.ts";
import { mentionsValue } from "./mentions_value.ts";
import type { Problems } from "./problems.ts";
import type { SchemaIssue, SchemaResult, StandardSchema } from "./standard_schema.ts";

/** How a value is validated. */
export interface ValidateOptions {
  /**
   * Whether a message may repeat what the caller sent. Where it may not, such a message is replaced
   * by what was expected, so that a secret put into the wrong field reaches no log.
   */
  readonly includeValues: boolean;
  /** Where the value is, for the paths of problems. Default: the root. */
  readonly at?: readonly PropertyKey[];
  /**
   * Whether the schema has patterns, as `usesPatterns()` tells: none runs on a string over 64 KiB.
   * Default `false`; a `jsonSchema()` sees to it itself.
   */
  readonly hasPatterns?: boolean;
  /** Top-level names about which enough is said already. Default: none. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Validates a value and adds what is wrong with it to the problems.
 *
 * @param schema Any Standard Schema. One that throws or rejects is at fault, and so does this.
 * @param value What the caller sent.
 * @param problems Receives a message per issue, under the issue's path.
 * @param options How to validate.
 * @returns What the schema makes of the value, or `undefined` when there were issues; a promise
 * only when the schema gave one.
 *
 * @example
 * ```ts
 * import { jsonSchema } from "./json_schema.ts";
 * import { Problems } from "./problems.ts";
 * import { validateSchema } from "./validate.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const problems = new Problems();
 * const schema = jsonSchema({ type: "integer" });
 * assertEquals(validateSchema(schema, 8, problems, { includeValues: false }), 8);
 * validateSchema(schema, "x", problems, { includeValues: false, at: ["id"] });
 * assertEquals(JSON.stringify(problems.toTree()), '{"id":["Expected an integer."]}');
 * ```
 */
export function validateSchema(
  schema: StandardSchema,
  value: unknown,
  problems: Problems,
  options: ValidateOptions,
): unknown | Promise<unknown> {
  const long = options.hasPatterns ? findLongString(value) : undefined;
  if (long !== undefined) {
    problems.add([...options.at ?? [], ...long], "String is too long to check.");
    return undefined;
  }
  // The messages of a raw JSON Schema never hold the value.
  const isShown = options.includeValues || isRawJsonSchema(schema);
  const finish = (result: SchemaResult<unknown>): unknown => {
    if (result.issues === undefined) return result.value;
    if (result.issues.length === 0) problems.add(options.at ?? [], "Invalid value.");
    for (const issue of result.issues) {
      const path = (issue.path ?? []).map(toKey);
      if (options.except?.has(String(path[0]))) continue;
      const message = isShown ? issue.message : withoutValue(issue, valueAt(value, path));
      problems.add([...options.at ?? [], ...path], message);
    }
    return undefined;
  };
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? result.then(finish) : finish(result);
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === "object" ? segment.key : segment;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** What some libraries keep in an issue beside the standard members. */
interface DetailedIssue extends SchemaIssue {
  /** What the rule asks for. */
  readonly expected?: unknown;
  /** The value, to valibot and Zod. */
  readonly input?: unknown;
  /** The value, to ArkType. */
  readonly data?: unknown;
}

function withoutValue(issue: DetailedIssue, value: unknown): string {
  const { message, expected } = issue;
  // The value may have been trimmed, or otherwise changed, before it was refused.
  const secrets = [value, "data" in issue ? issue.data : issue.input];
  const candidates = [
    message,
    typeof expected === "string" && expected !== "" ? `Expected ${expected}.` : message,
    message.replace(/ \(was .*\)$/s, ""), // ArkType
  ];
  return candidates.find((one) => !secrets.some((secret) => mentionsValue(one, secret))) ??
    "Invalid value.";
}
