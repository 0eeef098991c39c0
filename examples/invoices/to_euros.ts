/** Cents as people write them: 1250 is `EUR 12.50`. */
export function toEuros(cents: number): string {
  return `EUR ${(cents / 100).toFixed(2)}`;
}
