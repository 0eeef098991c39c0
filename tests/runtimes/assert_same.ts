/**
 * Asserts that two JSON values are written alike. It stands alone, so that a Worker without the
 * modules of Node can run it.
 */
export function assertSame(actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`Expected ${right}, got ${left}`);
}
