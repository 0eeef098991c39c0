import { isJsonObject, ownValue } from "../protocol/json.ts";
import type { SchemaMismatch } from "../schema/find_mismatches.ts";

const MAX_LENGTH = 120;

/**
 * Describes a mismatch in one line: `$[0].amount_cents: advertised type 'integer', got string '1240'`.
 *
 * @param mismatch Where, and which keyword.
 * @param root The whole value; what is shown of it is abbreviated at 120 characters.
 */
export function describeMismatch(
  { path, keyword, expected }: SchemaMismatch,
  root: unknown,
): string {
  let place = "$";
  let value = root;
  for (const key of path) {
    place += placeOf(key, value);
    if (Array.isArray(value)) value = value[Number(key)];
    else value = isJsonObject(value) ? ownValue(value, key) : undefined;
  }
  return `${place}: ${describeKeyword(keyword, expected)}, got ${describeValue(value)}`;
}

function placeOf(key: string, container: unknown): string {
  if (Array.isArray(container)) return `[${key}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function describeKeyword(keyword: string, expected: unknown): string {
  if (keyword === "false") return "not advertised";
  if (keyword === "required") return "advertised as required";
  if (expected === undefined || isSchema(expected)) return `advertised ${keyword}`;
  if (keyword !== "type") return `advertised ${keyword} ${show(expected)}`;
  return `advertised type ${[expected].flat().map(show).join(" or ")}`;
}

/** What stands below `anyOf`, `not` and their like says too much for a line. */
function isSchema(expected: unknown): boolean {
  return isJsonObject(expected) || Array.isArray(expected) && expected.some(isJsonObject);
}

function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return `${Array.isArray(value) ? "array" : typeof value} ${show(value)}`;
}

function show(value: unknown): string {
  if (typeof value !== "string") return abbreviate(JSON.stringify(value));
  const escaped = JSON.stringify(abbreviate(value)).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped}'`;
}

function abbreviate(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
