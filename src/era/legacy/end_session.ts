import type { Inbound } from "../inbound.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import { explainUnknown, refuseUnknown } from "./enter_session.ts";
import type { LegacySessions } from "./legacy_sessions.ts";
import type { SessionCaller } from "./session.ts";

/**
 * Ends the session that a DELETE names (H-28).
 *
 * @returns The 404 for every id that is not a living session of the caller; `undefined` where it is
 * ended, or where none was named.
 */
export async function endSession(
  headers: Inbound["headers"],
  sessions: LegacySessions,
  by: SessionCaller,
): Promise<Refusal | undefined> {
  const id = headers.get("mcp-session-id");
  if (id === null || await sessions.end(id, by)) return undefined;
  return await explainUnknown(refuseUnknown(), sessions.kept.explain?.(id, by));
}
