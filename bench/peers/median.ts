/**
 * The middle of a list of numbers.
 *
 * @param values At least one number, in any order.
 * @returns The median; the upper one of two.
 */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
