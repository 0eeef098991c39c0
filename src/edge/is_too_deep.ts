/** How deep a message may be nested (B13). */
const MAX_DEPTH = 64;

/**
 * Whether a parsed value is nested deeper than 64 levels. Stops at the first level that is too deep,
 * so that no depth a caller chooses can exhaust the stack.
 */
export function isTooDeep(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, levels - 1));
  // What `JSON.parse` made has no inherited enumerable keys.
  for (const key in value) {
    const child = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof child === "object" && child !== null && isTooDeep(child, levels - 1)) return true;
  }
  return false;
}
