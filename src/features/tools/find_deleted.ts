import type { Operation, Written } from "../../kernel/operation.ts";
import { isIdentifier } from "../../present/lean_envelope.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";

/**
 * The identifier of what a delete removed: that of the row that was looked up, unless it is hidden from
 * agents, else what the caller named (W-30). Many have none.
 */
export function findDeleted(
  { spec }: Operation,
  written: Written | undefined,
  sent: JsonObject,
): unknown {
  if (written === undefined || spec.many) return undefined;
  const { instance, args } = written;
  const audiences = [spec.audience, spec.target?.audience];
  const isShown = (key: string): boolean => audiences.every((one) => one?.[key]?.as !== "hidden");
  const row = isJsonObject(instance) ? instance : {};
  const named = isJsonObject(args) ? args : {};
  return [
    ...["id", "pk"].filter(isShown).map((key) => row[key]),
    ...["pk", "id"].filter((key) => Object.hasOwn(sent, key)).map((key) => named[key]),
  ].find(isIdentifier);
}
