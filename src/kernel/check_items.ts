import { isJsonObject } from "../protocol/json.ts";
import type { Problems } from "../schema/problems.ts";
import { validateSchema } from "../schema/validate.ts";
import type { Operation } from "./operation.ts";

/**
 * Checks every item of a `many` operation by its `input`, under its index. One bad item and the run
 * does not take place (K-24).
 *
 * @param items What the caller sent.
 * @param problems Receives what is wrong, under `<argument>.<index>`.
 * @returns The checked items.
 */
export async function checkItems(
  operation: Operation,
  items: readonly unknown[],
  problems: Problems,
): Promise<readonly unknown[]> {
  const { spec, includeValidationValue, inputHasPatterns } = operation;
  const { argument, checkUnknown } = operation.many!;
  const checked: unknown[] = [];
  for (const [index, item] of items.entries()) {
    // What is said of the item as a whole has a place of its own beside its fields (K-16).
    const add = (path: readonly PropertyKey[], message: string): void =>
      problems.add([argument, index, ...path.length === 0 ? ["non_field_errors"] : path], message);
    const itsOwn = { add } as Problems;
    if (checkUnknown !== undefined && isJsonObject(item)) checkUnknown(item, itsOwn);
    checked.push(
      await validateSchema(spec.input!, item, itsOwn, {
        includeValues: includeValidationValue,
        hasPatterns: inputHasPatterns,
      }),
    );
  }
  return checked;
}
