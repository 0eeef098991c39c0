/**
 * Compares two values of JSON, or `undefined`, for a contract that must run under any test runner.
 *
 * @param claim What must hold, for the message.
 * @throws {Error} when they differ.
 */
export function expectEqual(actual: unknown, expected: unknown, claim: string): void {
  const seen = JSON.stringify(actual) ?? "undefined";
  const wanted = JSON.stringify(expected) ?? "undefined";
  if (seen !== wanted) throw new Error(`${claim}: expected ${cut(wanted)}, got ${cut(seen)}`);
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
