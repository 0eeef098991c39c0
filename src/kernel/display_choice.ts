/**
 * What is shown for a value of a closed list; null and values that are not listed are shown as they are.
 *
 * @param value The value, or an element of a list of them.
 * @param choices What is shown, by value.
 */
export function displayChoice(value: unknown, choices: Readonly<Record<string, string>>): unknown {
  if (value === null || typeof value === "object") return value;
  const key = String(value);
  return Object.hasOwn(choices, key) ? choices[key] : value;
}
