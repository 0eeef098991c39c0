import { fingerprint } from "../ports/fingerprint.ts";
import type { Logger } from "../ports/logger.ts";
import { isJsonObject } from "../protocol/json.ts";
import type { Refusal, RefusalReason } from "../protocol/refusal.ts";

/** What an operator cannot explain without being told (O-1); anything else is a client's mistake. */
const WARNED: ReadonlySet<RefusalReason> = new Set([
  "body-timeout",
  "body-too-large",
  "header-mismatch",
  "host",
  "origin",
  "session-missing",
  "session-unknown",
  "timeout",
  "unauthorized",
  "unsupported-version",
]);

/** Tells the log why a request was turned away, also where its sender is not told (O-3). */
export function logRefusal(log: Logger, refusal: Refusal, request: Request): void {
  const { refused, status } = refusal;
  const level = WARNED.has(refused) ? "warning" : "info";
  const write = level === "warning" ? log : log.info;
  write?.({
    level,
    event: "request.refused",
    message: "A request was turned away",
    fields: {
      refused,
      status,
      because: findCause(refusal, request.headers),
      ...describe(refusal, request.headers),
    },
  });
}

function findCause({ refused, because, error }: Refusal, headers: Headers): string {
  if (because !== undefined) return because;
  if (refused !== "unauthorized") return error.message;
  return headers.has("authorization") ? "The credential was refused" : "No credential was sent";
}

function describe({ refused, error: { data } }: Refusal, headers: Headers): Record<string, string> {
  switch (refused) {
    case "origin":
    case "host":
      return { [refused]: shorten(headers.get(refused) ?? "-") };
    case "session-missing":
    case "session-unknown":
      return { session: fingerprint(headers.get("mcp-session-id")) };
    case "unsupported-version": {
      const requested = isJsonObject(data) ? data.requested : headers.get("mcp-protocol-version");
      return { revision: typeof requested === "string" ? shorten(requested) : "-" };
    }
    default:
      return {};
  }
}

function shorten(text: string): string {
  return text.length > 128 ? `${text.slice(0, 128)}…` : text;
}
