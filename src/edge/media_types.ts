/** What a client can read. */
export interface Accepted {
  /** A single JSON message. */
  readonly json: boolean;
  /** A stream of server-sent events. */
  readonly stream: boolean;
}

const BOTH: Accepted = { json: true, stream: true };
const JSON_ONLY: Accepted = { json: true, stream: false };

/**
 * Reads an `Accept` header by its media ranges (RFC 9110, section 12.5.1); `q=0` excludes.
 *
 * @param header The header's value; absent accepts JSON.
 */
export function parseAccept(header: string | null): Accepted {
  if (header === null || header === "") return JSON_ONLY;
  if (header === "application/json, text/event-stream") return BOTH;
  return {
    json: accepts(header, "application", "json"),
    stream: accepts(header, "text", "event-stream"),
  };
}

function accepts(header: string, type: string, subtype: string): boolean {
  let best = -1;
  let quality = 0;
  for (const range of header.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const precision = [`*/*`, `${type}/*`, `${type}/${subtype}`].indexOf(name);
    if (precision <= best) continue;
    best = precision;
    const q = parameters.find((parameter) => parameter.startsWith("q="));
    quality = q === undefined ? 1 : Number(q.slice(2));
  }
  return quality > 0;
}

/** Whether a `Content-Type` is exactly `application/json`, with any parameters. */
export function isJsonContent(header: string | null): boolean {
  if (header === "application/json") return true;
  if (header === null) return false;
  const [type = ""] = header.split(";", 1);
  return type.trim().toLowerCase() === "application/json";
}
