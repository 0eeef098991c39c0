/**
 * Writes a value as JSON text: compact, in the author's key order, safe to splice into a response.
 *
 * A bigint in the safe range is written as a number, a Date as ISO 8601, half of a surrogate pair
 * as U+FFFD. The native serialiser runs first; the careful walk only where it throws.
 *
 * @param value What a callable answered.
 * @returns JSON text without U+2028, U+2029 and U+0085, which some readers take for line ends.
 * @throws {SerializationError} for what JSON cannot say: a cycle, a bigint out of range, a function, a
 * symbol, a Map or a Set. The message holds the path and never the value.
 */
export function serialize(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = JSON.stringify(rewrite(value, [], []));
  }
  if (!losesNothing(value)) rewrite(value, [], []); // throws, with the path
  return text === undefined ? "null" : escapeForWire(text);
}

/** A value that JSON cannot say. */
export class SerializationError extends Error {
  /** Always `"SerializationError"`. */
  override readonly name = "SerializationError" as const;
}

/**
 * Makes native JSON text safe for every reader: lone surrogates become U+FFFD, and the three
 * characters that split lines in some parsers are escaped.
 */
export function escapeForWire(json: string): string {
  let text = json;
  if (text.includes("\\ud")) text = text.replace(LONE_SURROGATE, replaceSurrogate);
  if (text.includes("\u2028") || text.includes("\u2029") || text.includes("\u0085")) {
    text = text.replace(LINE_ENDS, escapeLineEnd);
  }
  return text;
}

/** Writes a text, or the number that an id or a token may be, as JSON text like {@linkcode serialize}. */
export function quote(value: string | number): string {
  if (typeof value === "number") return String(value);
  // Ids, names and short answers rarely hold what is escaped: to look is faster than to write.
  if (value.length < SHORT && PLAIN.test(value)) return `"${value}"`;
  return escapeForWire(JSON.stringify(value));
}

const SHORT = 100;
const PLAIN = /^[ !#-[\]-~]*$/;

// Native JSON text holds `\ud…` for a lone surrogate only; an even run of backslashes before it
// is text that happens to look like one.
const LONE_SURROGATE = /(\\+)ud[89a-f][0-9a-f]{2}/g;
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function replaceSurrogate(match: string, backslashes: string): string {
  return backslashes.length % 2 === 0 ? match : `${backslashes.slice(1)}\ufffd`;
}

function escapeLineEnd(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Native JSON drops functions and empties a Map without a word; a result must not lose anything. */
function losesNothing(value: unknown): boolean {
  try {
    return isPlain(value);
  } catch {
    return false; // too deep for the stack
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object") return typeof value !== "function" && typeof value !== "symbol";
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainItem);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (value instanceof Map || value instanceof Set) return false;
    if ("toJSON" in value && typeof value.toJSON === "function") return true;
  }
  const parent = value as Readonly<Record<string, unknown>>;
  for (const key in parent) {
    const child = parent[key];
    if (typeof child === "string" || typeof child === "number") continue;
    if (!isPlain(child) && Object.hasOwn(parent, key)) return false;
  }
  return true;
}

function isPlainItem(item: unknown): boolean {
  return typeof item === "string" || typeof item === "number" || isPlain(item);
}

function isOdd(value: unknown): boolean {
  return typeof value === "function" || typeof value === "symbol";
}

function rewrite(value: unknown, path: readonly string[], parents: readonly object[]): unknown {
  const place = ["$", ...path].join(".");
  if (typeof value === "bigint") {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new SerializationError(`${cannot(place)} the bigint is out of range`);
  }
  if (isOdd(value)) throw new SerializationError(`${cannot(place)} it is a ${typeof value}`);
  if (typeof value !== "object" || value === null || isBoxed(value)) return value;
  if (value instanceof Map || value instanceof Set) {
    throw new SerializationError(
      `${cannot(place)} it is a ${value instanceof Map ? "Map" : "Set"}`,
    );
  }
  if (parents.includes(value)) {
    throw new SerializationError(`${cannot(place)} it is a cycle`);
  }
  if (parents.length >= MAX_DEPTH) {
    throw new SerializationError("Cannot write a value as JSON: it is nested too deeply");
  }
  const inside = [...parents, value];
  if (Array.isArray(value)) {
    return value.map((item, i) => rewrite(item, [...path, String(i)], inside));
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return rewrite(value.toJSON(path.at(-1) ?? ""), path, inside);
  }
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    copy[key] = rewrite(item, [...path, key], inside);
  }
  return copy;
}

/** Native JSON writes these as what they hold. */
function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean;
}

function cannot(place: string): string {
  return `Cannot write ${place} as JSON:`;
}

const MAX_DEPTH = 1000;
