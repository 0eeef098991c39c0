import type { Progress } from "../kernel/call_context.ts";
import { escapeForWire } from "../present/serialize.ts";

/** Reports to nobody. */
export const silentProgress: Progress = () => {};

/** What a client may send as a progress token; anything else counts as absent. */
export function isProgressToken(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
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
    escapeForWire(JSON.stringify(token))
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

function details({ total, message, meta }: NonNullable<Parameters<Progress>[1]>): string {
  let text = "";
  if (Number.isFinite(total)) text += `,"total":${total}`;
  if (message !== undefined) text += `,"message":${escapeForWire(JSON.stringify(String(message)))}`;
  if (meta !== undefined) text += metaMember(meta);
  return text;
}

function metaMember(meta: Readonly<Record<string, unknown>>): string {
  try {
    return `,"_meta":${escapeForWire(JSON.stringify(meta))}`;
  } catch {
    return "";
  }
}
