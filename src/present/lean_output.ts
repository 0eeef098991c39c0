import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import type { LeanWrite } from "./lean_envelope.ts";
import type { OtherAnswers } from "./widen_output_schema.ts";

/** How a write is answered. */
export interface LeanOutputOptions extends LeanWrite {
  /** Whether its callers can send a token. */
  readonly hasSlot: boolean;
}

const COUNT = { type: "integer" };
const STATUS = { type: "integer", description: "The HTTP status this would have." };
const SIZE = { type: "integer", description: "Bytes of the full result." };
const ID = { type: ["string", "number"] };
const TOKEN = { type: "string" };
const DELETED = { type: "boolean", const: true };

/**
 * The fields of the lean answers of a write, to be advertised beside those of its rows.
 *
 * @param row The schema of what it answers in full.
 */
export function describeLeanAnswers(
  row: JsonObject,
  { action, leanKeys, hasSlot }: LeanOutputOptions,
): Pick<OtherAnswers, "always" | "properties"> {
  const fields = isJsonObject(row.properties) ? row.properties : {};
  if (action === "delete") {
    return { properties: { id: ID, deleted: DELETED, status_code: STATUS }, always: [] };
  }
  const token = hasSlot ? { continuation_token: TOKEN } : {};
  if (row.type !== "object") {
    const properties = { accepted: COUNT, ids: { type: "array" }, status_code: STATUS };
    return { properties: { ...properties, data_size: SIZE, ...token }, always: [] };
  }
  const has = (name: string): boolean => Object.hasOwn(fields, name);
  const hasId = Array.isArray(row.required) && row.required.includes("id");
  const id = has("pk") && !hasId ? { id: fields.pk } : {};
  const isMaybeDeleted = has("deleted");
  const name = has("name") ? "name" : "display";
  const keys = leanKeys === "assigned" ? [] : leanKeys;
  return {
    properties: { ...id, status_code: STATUS, data_size: SIZE, ...token },
    always: isMaybeDeleted ? [] : ["id", "url", name, ...keys],
  };
}
