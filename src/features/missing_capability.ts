import { isJsonObject, type JsonObject, ownValue } from "../protocol/json.ts";

/**
 * Finds what a client did not declare of the capabilities that a call needs.
 *
 * @param required Capabilities in the shape of `ClientCapabilities`: `{ elicitation: { url: {} } }`.
 * @param declared What the client declared on this request.
 * @returns The missing part in the same shape, or `undefined` where nothing is missing.
 */
export function missingCapabilities(
  required: JsonObject,
  declared: JsonObject,
): JsonObject | undefined {
  const missing: [string, unknown][] = [];
  for (const [name, wanted] of Object.entries(required)) {
    const has = ownValue(declared, name);
    if (!isJsonObject(has)) missing.push([name, wanted]);
    else if (isJsonObject(wanted)) {
      const inner = missingCapabilities(wanted, has);
      if (inner !== undefined) missing.push([name, inner]);
    }
  }
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
