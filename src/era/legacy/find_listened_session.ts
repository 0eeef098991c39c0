import type { Refusal } from "../../protocol/refusal.ts";
import type { Inbound } from "../inbound.ts";
import { explainUnknown, refuseUnknown } from "./enter_session.ts";
import { isLegacyRevision } from "./legacy_revisions.ts";
import { refuseRevision } from "./read_legacy_message.ts";
import type { Session, SessionCaller, Sessions } from "./session.ts";

/**
 * Finds the session that a GET wants to listen to, after its sender is known (H-30).
 *
 * @param id What the request names.
 * @returns The session, or the refusal: 400 for a revision that is not served, and one 404 for every
 * id that is not a living session of the caller.
 */
export async function findListenedSession(
  id: string,
  headers: Inbound["headers"],
  sessions: Sessions,
  by: SessionCaller,
): Promise<Session | Refusal> {
  const version = headers.get("mcp-protocol-version");
  if (version !== null && !isLegacyRevision(version)) {
    return refuseRevision("Unsupported MCP-Protocol-Version", undefined);
  }
  return await sessions.find(id, by) ??
    await explainUnknown(refuseUnknown(), sessions.explain?.(id, by));
}
