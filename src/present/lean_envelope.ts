import { isJsonObject, type JsonObject, ownValue } from "../protocol/json.ts";
import { asWritten } from "./as_written.ts";
import { serialize } from "./serialize.ts";

/** What a write declares of itself. */
export interface LeanWrite {
  /** What it does to rows. */
  readonly action: "create" | "update" | "delete";
  /** Further fields of the answer: by name, or every short one that the caller did not send. */
  readonly leanKeys: readonly string[] | "assigned";
}

/** One write that has succeeded. */
export interface LeanResult extends LeanWrite {
  /** The result, as it is served in full. */
  readonly value: unknown;
  /** The size of its JSON text, in bytes. */
  readonly dataSize: number;
  /** What the caller sent. */
  readonly sent: JsonObject;
  /** Finds the identifier of what is gone; `undefined` where nothing names it. */
  readonly findDeleted: () => unknown;
}

/** The short answer to a write. */
export interface LeanEnvelope {
  /** Its JSON text without the last brace. */
  readonly open: string;
  /** Whether something was deleted: then the answer is complete, and there is nothing to read back. */
  readonly isDelete: boolean;
  /**
   * What completes it for a caller who cannot send a token: nothing for one row with an identifier, the
   * identifiers of many; `undefined` where the caller could not reach what was written by them.
   */
  readonly closeWithIds: () => string | undefined;
}

/** Names that the answer gives a meaning of its own, which no field of a row takes. */
export const ENVELOPE_NAMES: ReadonlySet<string> = new Set([
  "accepted",
  "continuation_token",
  "data_size",
  "deleted",
  "ids",
  "status_code",
]);

/** The HTTP status that the operation would have answered: from the operation, never the row (W-27). */
const STATUS = { create: 201, update: 200, delete: 204 } as const;

/** The longest field that counts as short, in bytes of JSON. */
const SHORT_BYTES = 200;

/**
 * Extracts the lean envelope of a write from its result (W-20…W-31). Only the top level is looked at:
 * a list counts as many rows, anything else as one.
 */
export function extractEnvelope(result: LeanResult): LeanEnvelope {
  const value = asWritten(result.value);
  if (isDelete(value, result)) return describeDelete(result);
  const tail = `"status_code":${STATUS[result.action]},"data_size":${result.dataSize}`;
  if (Array.isArray(value)) {
    return {
      open: `{"accepted":${value.length},${tail}`,
      isDelete: false,
      closeWithIds: () => closeWithIds(value),
    };
  }
  if (!isJsonObject(value)) {
    return { open: `{${tail}`, isDelete: false, closeWithIds: () => undefined };
  }
  return {
    open: `{${describeRow(value, result)}${tail}`,
    isDelete: false,
    closeWithIds: () => isIdentifier(identifierOf(value)) ? "}" : undefined,
  };
}

/** Declared, or told by a result that says nothing else. */
function isDelete(value: unknown, { action }: LeanWrite): boolean {
  return action === "delete" ||
    (isJsonObject(value) && value.deleted === true && Object.keys(value).length === 1);
}

function describeDelete({ findDeleted }: LeanResult): LeanEnvelope {
  const id = findDeleted();
  const identity = id === undefined ? "" : `"id":${serialize(id)},`;
  const open = `{${identity}"deleted":true,"status_code":${STATUS.delete}`;
  return { open, isDelete: true, closeWithIds: () => "}" };
}

/** The fields of one row: `id` or `pk`, `url`, `name` or `display`, what the author asks for (W-24). */
function describeRow(row: JsonObject, { leanKeys, sent }: LeanResult): string {
  let text = "";
  const told = new Set<string>();
  const tell = (name: string, value: unknown): boolean => {
    if (value === undefined) return false;
    told.add(name);
    text += `${JSON.stringify(name)}:${serialize(value)},`;
    return true;
  };
  tell("id", identifierOf(row));
  tell("url", written(row, "url"));
  if (!tell("name", written(row, "name"))) tell("display", written(row, "display"));
  for (const key of leanKeys === "assigned" ? Object.keys(row) : leanKeys) {
    if (told.has(key) || ENVELOPE_NAMES.has(key)) continue;
    const value = written(row, key);
    if (leanKeys !== "assigned" || isAssigned(value, ownValue(sent, key))) tell(key, value);
  }
  return text;
}

/** What JSON has under a key: an own field that can be written. */
function written(row: JsonObject, key: string): unknown {
  if (!Object.prototype.propertyIsEnumerable.call(row, key)) return undefined;
  return row[key];
}

/** A key that is there counts, also with null in it; null is no identifier all the same. */
function identifierOf(row: JsonObject): unknown {
  const id = written(row, "id");
  return id === undefined ? written(row, "pk") : id;
}

/** Whether a value names a row: a scalar that says something. */
export function isIdentifier(id: unknown): boolean {
  return (typeof id === "string" && id !== "") || Number.isFinite(id) || typeof id === "bigint";
}

/** A short scalar that is not what the caller sent under its name. */
function isAssigned(value: unknown, sent: unknown): boolean {
  const scalar = asWritten(value);
  if (scalar === undefined || scalar === null || typeof scalar === "object" || scalar === sent) {
    return false;
  }
  return typeof scalar !== "string" ||
    (scalar.length <= SHORT_BYTES &&
      new TextEncoder().encode(serialize(scalar)).length <= SHORT_BYTES);
}

/** One identifier for each row, or nothing: part of them could not be matched to the rows (W-15). */
function closeWithIds(rows: readonly unknown[]): string | undefined {
  const ids: unknown[] = [];
  for (const one of rows) {
    const row = asWritten(one);
    const id = isJsonObject(row) ? identifierOf(row) : undefined;
    if (!isIdentifier(id)) return undefined;
    ids.push(id);
  }
  return `,"ids":${serialize(ids)}}`;
}
