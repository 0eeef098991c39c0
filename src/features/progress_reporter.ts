import type { Progress } from "../kernel/call_context.ts";
import { quote, serialize } from "../present/serialize.ts";
import { isJsonObject } from "../protocol/json.ts";

/** Reports to nobody. */
export const silentProgress: Progress = () => {};

/** A longer token is no name, but a way to have the server send it a thousand times (B13). */
const MAX_TOKEN_LENGTH = 256;

/** What a client may send as a progress token; anything else counts as absent. */
export function isProgressToken(value: unknown): value is string | number {
  return typeof value === "string" ? value.length <= MAX_TOKEN_LENGTH : Number.isSafeInteger(value);
}

/**
 * Makes the `progress` of one call: `notifications/progress` frames with the client's token.
 *
 * A report that does not increase, is not a number, or comes after the ceiling is dropped; nothing
 * ever throws into the service (G-5, G-7).
 *
 * @param token The client's token, kept in type and value.
 * @param send Sends one notification, as JSON text.
 * @param maxReports How many notifications one call may send.
 */
export function createProgress(
  token: string | number,
  send: (json: string) => void,
  maxReports: number,
): Progress {
  const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${
    quote(token)
  },"progress":`;
  let last = -Infinity;
  let left = maxReports;
  return (value, options) => {
    if (!Number.isFinite(value) || value <= last || left <= 0) return;
    last = value;
    left--;
    send(options === undefined ? `${head}${value}}}` : `${head}${value}${details(options)}}}`);
  };
}

/** The optional members; none where the author's values cannot even be read. */
function details(options: NonNullable<Parameters<Progress>[1]>): string {
  try {
    const { total, message, meta } = options;
    let text = "";
    if (Number.isFinite(total)) text += `,"total":${total}`;
    if (message !== undefined) text += `,"message":${quote(String(message))}`;
    if (isJsonObject(meta)) text += `,"_meta":${serialize({ ...meta })}`;
    return text;
  } catch {
    return "";
  }
}
