/** How deep a message may be nested (B13). */
const MAX_DEPTH = 64;

/**
 * Whether a parsed value is nested deeper than 64 levels. Counts level by level, so that no depth a
 * caller chooses can exhaust the stack.
 */
export function isTooDeep(root: unknown): boolean {
  let level: object[] = typeof root === "object" && root !== null ? [root] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) return true;
    const next: object[] = [];
    for (const parent of level) {
      // Values of `JSON.parse` have no inherited enumerable keys.
      for (const key in parent) {
        const child = (parent as Readonly<Record<string, unknown>>)[key];
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
