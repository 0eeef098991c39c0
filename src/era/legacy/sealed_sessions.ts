import type { HostContext } from "../../ports/host_context.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import { equalBytes } from "../../ports/equal_bytes.ts";
import { principalKey } from "../../ports/principal_key.ts";
import type { Sealer } from "../../ports/sealer.ts";
import { decodeBase64Url, encodeBase64Url } from "../../ports/base64url.ts";
import type { Session, SessionCaller, Sessions } from "./session.ts";
import { readSessionPayload, writeSessionPayload } from "./session_payload.ts";

/** How sealed sessions are kept. */
export interface SealedSessionOptions {
  /** Seals and opens the ids. */
  readonly sealerFor: (host: HostContext) => Sealer;
  /** How long a session lives, in milliseconds. */
  readonly maxAgeMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told and asked of ended sessions, so that other processes hear of it. */
  readonly marks: RevocationMarks;
}

/** Remembers which sessions were ended, across processes. */
export interface RevocationMarks {
  /** Marks a session as ended. */
  mark(sid: string, principal: string, ttlMs: number): Promise<void>;
  /** Whether it was ended. */
  isMarked(sid: string): Promise<boolean>;
}

interface Remembered {
  readonly session: Session;
  readonly principal: string;
  readonly expiresAtMs: number;
  /** When the mark was last read. */
  checkedAtMs: number;
  isEnded: boolean;
}

/** How many verified ids are remembered; verifying one again costs a few dozen microseconds. */
const MAX_REMEMBERED = 10_000;
const RECHECK_MS = 30_000;
/** How long an id that nobody uses is remembered. */
const UNUSED_MS = 10 * 60_000;
/** What an id has room for: a later end would come around as an earlier one. */
const MAX_SECONDS = 0xffff_ffff;
/** What a sealer adds at the end. */
const MAC_BYTES = 32;

/**
 * Sessions that live in their id: any process verifies it, nothing is stored, a restart loses nothing.
 *
 * A bounded map remembers verified ids; a hit still compares the principal and the expiry, and reads
 * the mark of ended sessions anew every 30 seconds (B4). Ids that nobody uses leave it again when new
 * ones come.
 */
export function createSealedSessions(options: SealedSessionOptions): Sessions {
  const { sealerFor, maxAgeMs, now, marks } = options;
  const remembered = new Map<string, Remembered>();
  const bySid = new Map<string, Remembered>();
  /** Ended here: a look-up that was under way at that time must not bring one back. */
  const ended = new Set<string>();
  let sweepAtMs = 0;

  function remember(id: string, entry: Remembered): void {
    if (entry.checkedAtMs >= sweepAtMs) sweep(entry.checkedAtMs);
    for (const [oldest, { session }] of remembered) {
      if (remembered.size < MAX_REMEMBERED) break;
      remembered.delete(oldest);
      bySid.delete(session.sid);
    }
    remembered.set(id, entry);
    bySid.set(entry.session.sid, entry);
  }

  function sweep(at: number): void {
    sweepAtMs = at + UNUSED_MS;
    for (const [id, { session, checkedAtMs }] of remembered) {
      if (at - checkedAtMs < UNUSED_MS) continue;
      remembered.delete(id);
      bySid.delete(session.sid);
    }
  }

  function forget(sid: string): void {
    for (const oldest of ended) {
      if (ended.size < MAX_REMEMBERED) break;
      ended.delete(oldest);
    }
    ended.add(sid);
    const known = bySid.get(sid);
    if (known !== undefined) known.isEnded = true;
  }

  function find(id: string, { caller, host }: SessionCaller): Awaitable<Session | undefined> {
    const principal = principalKey(caller.user);
    const known = remembered.get(id);
    if (known === undefined) return verify(id, principal, host);
    const at = now();
    if (known.principal !== principal || at >= known.expiresAtMs || known.isEnded) return undefined;
    return at - known.checkedAtMs < RECHECK_MS ? known.session : recheck(known, at);
  }

  async function recheck(known: Remembered, at: number): Promise<Session | undefined> {
    // It may have ended while the mark was read: nothing takes that back.
    if (await marks.isMarked(known.session.sid)) known.isEnded = true;
    known.checkedAtMs = at;
    return known.isEnded ? undefined : known.session;
  }

  async function verify(
    id: string,
    principal: string,
    host: HostContext,
  ): Promise<Session | undefined> {
    const opened = await sealerFor(host).open(id);
    const payload = opened && readSessionPayload(opened.payload);
    if (payload === undefined) return undefined;
    const isOwner = equalBytes(payload.principal, await opened!.digest(principal));
    const expiresAtMs = payload.expiresAt * 1000;
    if (!isOwner || now() >= expiresAtMs || await marks.isMarked(payload.sid)) return undefined;
    const { sid, revision, clientCapabilities } = payload;
    if (ended.has(sid)) return undefined;
    const session: Session = { sid, revision, clientCapabilities };
    remember(id, { session, principal, expiresAtMs, checkedAtMs: now(), isEnded: false });
    return session;
  }

  async function explain(id: string, { caller, host }: SessionCaller): Promise<string> {
    const opened = await sealerFor(host).open(id);
    const payload = opened && readSessionPayload(opened.payload);
    if (payload === undefined) return "The id was not sealed here, or by another secret";
    const isOwner = equalBytes(payload.principal, await opened!.digest(principalKey(caller.user)));
    if (!isOwner) return "The session is another caller's";
    return now() >= payload.expiresAt * 1000 ? "The session has expired" : "The session was ended";
  }

  return {
    find,
    explain,
    open: async (session, { caller, host }) => {
      const sealer = sealerFor(host);
      const sid = crypto.getRandomValues(new Uint8Array(16));
      const issuedAt = Math.floor(now() / 1000);
      const payload = {
        ...session,
        sid: encodeBase64Url(sid),
        principal: await sealer.digest(principalKey(caller.user)),
        expiresAt: Math.min(issuedAt + Math.ceil(maxAgeMs / 1000), MAX_SECONDS),
      };
      return await sealer.seal(writeSessionPayload(payload, sid, issuedAt));
    },
    end: async (id, by) => {
      const session = await find(id, by);
      if (session === undefined) return undefined;
      const principal = principalKey(by.caller.user);
      // Anybody may open anonymous sessions: marks for those would let strangers fill the store.
      if (principal !== "anonymous") await marks.mark(session.sid, principal, maxAgeMs);
      forget(session.sid); // only now: where the mark failed, the caller has to be able to try again
      return session.sid;
    },
    sidOf: (id) => {
      const payload = decodeBase64Url(id)?.slice(0, -MAC_BYTES);
      return payload && readSessionPayload(payload)?.sid;
    },
    isOpen: async (sid) => !ended.has(sid) && !await marks.isMarked(sid),
    forget,
  };
}
