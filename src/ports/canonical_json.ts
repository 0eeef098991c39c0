/**
 * Writes a value as JSON whose text does not depend on the order of keys, so that what is equal has one
 * text and what differs another.
 *
 * @param value Plain data; a date is its ISO text and a bigint its digits.
 * @throws {TypeError} for what JSON would leave out or flatten: a Map, a class, a function, NaN.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? "null";
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") throw lossy(typeof value);
  if (typeof value === "number" && !Number.isFinite(value)) throw lossy(String(value));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw lossy("a class");
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) {
    sorted[key] = (value as Readonly<Record<string, unknown>>)[key];
  }
  return sorted;
}

function lossy(what: string): TypeError {
  return new TypeError(`Cannot write ${what} as JSON: use plain data`);
}
