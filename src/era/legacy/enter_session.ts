import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { Route, Visit } from "../era.ts";
import type { Inbound } from "../inbound.ts";
import { isSessionless, refuseRevision } from "./read_legacy_message.ts";
import type { LegacySessions } from "./legacy_sessions.ts";
import type { SessionCaller } from "./session.ts";

/**
 * Finds the session of a legacy message, after its sender is known (H-22, H-23).
 *
 * @returns What the session says, or the refusal: 400 without an id, and one 404 for every id that is
 * not a living session of this caller.
 */
export function enterSession(
  route: Route,
  headers: Inbound["headers"],
  sessions: LegacySessions | undefined,
  by: SessionCaller,
): Awaitable<Visit | Refusal> {
  const { message: { method, id } } = route;
  if (isSessionless(method)) return route;
  if (sessions === undefined) {
    return route.revision === "" ? refuseRevision("Missing MCP-Protocol-Version", id) : route;
  }
  const sessionId = headers.get("mcp-session-id");
  if (sessionId === null) return refuseMissing(id);
  return andThen(sessions.kept.find(sessionId, by), (session): Awaitable<Visit | Refusal> => {
    if (session === undefined) {
      return explainUnknown(refuseUnknown(id), sessions.kept.explain?.(sessionId, by));
    }
    sessions.listen();
    const { sid, revision, clientCapabilities } = session;
    return { revision, clientCapabilities, sid };
  });
}

/** The refusal of a request that needs a session and names none. */
export function refuseMissing(id?: RequestId): Refusal {
  return refuse("session-missing", 400, "Missing Mcp-Session-Id: send initialize first", id);
}

/** The refusal of every id that is not a living session of the caller. */
export function refuseUnknown(id?: RequestId): Refusal {
  return refuse("session-unknown", 404, "Unknown session: send initialize again", id);
}

/** Adds for the log what no caller is told: why there is no such session (O-3). */
export async function explainUnknown(
  refusal: Refusal,
  cause: Awaitable<string> | undefined,
): Promise<Refusal> {
  const because = await cause;
  return because === undefined ? refusal : { ...refusal, because };
}

function refuse(
  refused: "session-missing" | "session-unknown",
  status: number,
  message: string,
  id: RequestId | undefined,
): Refusal {
  return {
    refused,
    status,
    error: { code: ErrorCode.invalidRequest, message },
    headers: { "mcp-error": refused },
    ...(id === undefined ? {} : { id }),
  };
}
