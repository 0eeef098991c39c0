import { findListenedSession } from "../era/legacy/find_listened_session.ts";
import type { LegacySessions } from "../era/legacy/legacy_sessions.ts";
import type { SessionCaller } from "../era/legacy/session.ts";
import { callerKey } from "../gate/caller_key.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import { isRefusal, type Refusal } from "../protocol/refusal.ts";
import { credentialExpiry } from "./credential_expiry.ts";
import { inTime } from "./in_time.ts";
import { parseAccept } from "./media_types.ts";
import type { SessionStreams } from "./session_streams.ts";

/**
 * Answers a GET of a caller who is known: opens the stream of the session that it names (H-30).
 *
 * @param headers Its headers.
 * @param sessions Finds the session and what it is sent.
 * @param streams The streams of this process, with their bounds.
 * @param by Who asks, and how many milliseconds finding the session may take.
 * @returns The body of the response, or the refusal; `undefined` where there is nothing to listen to,
 * which is 405.
 */
export async function listenToSession(
  headers: Headers,
  sessions: LegacySessions | undefined,
  streams: SessionStreams,
  by: SessionCaller & { readonly ms: number | null },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Refusal | undefined> {
  const id = headers.get("mcp-session-id");
  const feeds = sessions?.feeds;
  if (sessions === undefined || feeds === undefined || id === null) return undefined;
  const accept = headers.get("accept");
  if (accept !== null && !parseAccept(accept).stream) return NOT_ACCEPTABLE;
  const finding = findListenedSession(id, headers, sessions.kept, by);
  const session = await inTime(finding, { ms: by.ms, what: "Finding the session" });
  if (isRefusal(session)) return session;
  const listener = callerKey(by.caller, by.host);
  const listening = { session, listener, expiresAtMs: credentialExpiry(by.caller) };
  return await streams.open(listening, () => feeds.open(session, headers.get("last-event-id")));
}

const NOT_ACCEPTABLE: Refusal = {
  refused: "accept",
  status: 406,
  error: { code: ErrorCode.invalidRequest, message: "Not acceptable: accept text/event-stream" },
};
