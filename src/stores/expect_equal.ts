/**
 * Compares two values of JSON, or `undefined`, for a contract that must run under any test runner.
 *
 * @param claim What must hold, for the message.
 * @throws {Error} when they differ.
 */
export function expectEqual(actual: unknown, expected: unknown, claim: string): void {
  const [seen, wanted] = [show(actual), show(expected)];
  if (seen !== wanted) throw new Error(`${claim}: expected ${wanted}, got ${seen}`);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
