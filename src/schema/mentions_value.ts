/** How much of a composite value is looked at; beyond it, a message counts as a mention. */
const MAX_VALUES = 1000;

/**
 * Tells whether a message repeats a value, as a whole word or number.
 *
 * @param message A schema library's words.
 * @param value What the message is about. Of an object or array, its scalars are looked for.
 * @returns Whether the message may not be shown where values are secret.
 *
 * @example
 * ```ts
 * import { mentionsValue } from "./mentions_value.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(mentionsValue('Expected "a" but received "hunter2"', "hunter2"), true);
 * assertEquals(mentionsValue("Expected at least 12 characters", 2), false);
 * ```
 */
export function mentionsValue(message: string, value: unknown): boolean {
  const values: unknown[] = [value];
  const seen = new Set<unknown>();
  // Grows while it is walked.
  for (const one of values) {
    if (values.length > MAX_VALUES) return true;
    if (typeof one === "object" && one !== null) {
      if (seen.has(one)) continue;
      seen.add(one);
      for (const key in one) {
        if (Object.hasOwn(one, key)) values.push((one as Record<string, unknown>)[key]);
        if (values.length > MAX_VALUES) return true;
      }
    } else if (mentionsScalar(message, one)) return true;
  }
  return false;
}

function mentionsScalar(message: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  const text = String(value).trim();
  return mentionsText(message, text) || mentionsText(message, JSON.stringify(text).slice(1, -1));
}

function mentionsText(message: string, text: string): boolean {
  if (text === "") return false;
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const isWord = !continues(message.charAt(at - 1), text.charAt(0)) &&
      !continues(text.charAt(text.length - 1), message.charAt(at + text.length));
    if (isWord) return true;
  }
  return false;
}

function continues(left: string, right: string): boolean {
  return /[\p{L}\p{N}_]/u.test(left) && /[\p{L}\p{N}_]/u.test(right);
}
