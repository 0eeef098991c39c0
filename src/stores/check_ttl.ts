/**
 * Checks a time to live, for a store.
 *
 * @param ttlMs Milliseconds, or `undefined` for no end.
 * @returns Whole milliseconds, rounded up, or `undefined`.
 * @throws {RangeError} when it is not a positive, finite number.
 */
export function checkTtl(ttlMs: number | undefined): number | undefined {
  if (ttlMs === undefined) return undefined;
  if (ttlMs > 0 && ttlMs < Infinity) return Math.ceil(ttlMs);
  throw new RangeError(
    `Cannot write to the store: ttlMs must be positive and finite: got ${ttlMs}`,
  );
}
