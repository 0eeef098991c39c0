import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import { asWritten } from "./as_written.ts";
import { CONTINUATION_MODES } from "./continuation_modes.ts";
import { cutText } from "./cut_text.ts";
import { serialize } from "./serialize.ts";

/** A result that is kept, to be read piece by piece. */
export interface ProbedResult {
  /** The result. */
  readonly value: unknown;
  /** The size of its JSON text, in bytes. */
  readonly dataSize: number;
  /** What reads it. */
  readonly token: string;
  /** The tool that takes the token. */
  readonly slot: string;
}

/** The fields of a probe, to be advertised. */
export const PROBE_PROPERTIES: JsonObject = {
  preview: { type: "string", description: "How the result begins, where it is too large to send." },
  total_size: { type: "integer" },
  available_modes: { type: "array" },
  continuation_token: { type: "string" },
  usage: { type: "string" },
};

/** The longest preview, in characters. */
const PREVIEW_LENGTH = 200;

/**
 * Writes what is answered in place of a large result: how it begins, how large it is, and how to read
 * it (HV-2).
 *
 * @returns JSON text.
 */
export function writeProbe({ value, dataSize, token, slot }: ProbedResult): string {
  return serialize({
    preview: cutText(serialize(beginningOf(asWritten(value))), PREVIEW_LENGTH),
    total_size: dataSize,
    available_modes: CONTINUATION_MODES,
    continuation_token: token,
    usage: `Call ${slot} with continuation_token at the top level of its arguments, beside mode: ` +
      "without a mode the first page is read",
  });
}

function beginningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 3);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).slice(0, 5)
    .map(([key, field]) => [key, typeof field === "string" ? cutText(field, 80) : shorten(field)]);
  return Object.fromEntries(fields);
}

/** A field that is no text is shown as it is, unless its text is long. */
function shorten(field: unknown): unknown {
  const text = serialize(field);
  return text.length <= 80 ? field : cutText(text, 80);
}
