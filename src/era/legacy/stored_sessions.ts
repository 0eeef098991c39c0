import { encodeBase64Url } from "../../ports/base64url.ts";
import { digestText } from "../../ports/digest_text.ts";
import { principalKey } from "../../ports/principal_key.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";
import { LEGACY_REVISIONS } from "./legacy_revisions.ts";
import type { Session, SessionCaller, Sessions } from "./session.ts";
import { packCapabilities, unpackCapabilities } from "./session_capabilities.ts";

/** How stored sessions are kept. */
export interface StoredSessionOptions {
  /** Where. */
  readonly store: KeyValueStore;
  /** The server's name: servers that share a store do not share sessions. */
  readonly server: string;
  /** How long a session lives, in milliseconds. */
  readonly maxAgeMs: number;
  /** How long it lives while nobody uses it, in milliseconds. */
  readonly idleTtlMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What the store holds of a session: nothing that a client wrote, and not its id. */
interface StoredSession {
  readonly principal: string;
  readonly revision: number;
  readonly capabilities: number;
  readonly openedAt: number;
  /** When its idle window was last opened anew; 0 before the first use. */
  readonly usedAt: number;
}

const ID_BYTES = 24;
const MAX_REFRESH_MS = 60_000;
/** How long a session lives before its first use, which follows at once where a client means it. */
const UNUSED_MS = 60_000;

/**
 * Sessions that live in the server's store, under a digest of their id: whoever reads the store learns
 * no id. A use opens the idle window anew, with one write a minute at most (H-25). One that is opened
 * and never used is gone after a minute, so that a stranger has to do more than open sessions to fill
 * the store.
 */
export function createStoredSessions(options: StoredSessionOptions): Sessions {
  const { store, server, maxAgeMs, idleTtlMs, now } = options;
  const refreshMs = Math.min(MAX_REFRESH_MS, Math.ceil(idleTtlMs / 4));

  /** A window is as long as was promised, however late in the last one it was opened. */
  function ttlMs({ openedAt }: StoredSession, at: number): number {
    return Math.min(idleTtlMs + refreshMs, openedAt + maxAgeMs - at);
  }

  async function read(id: string, { caller }: SessionCaller): Promise<Session | undefined> {
    const sid = await sidOf(id);
    const text = sid === undefined ? undefined : await store.get(keyOf(sid));
    const stored = text === undefined ? undefined : readSession(text);
    if (stored === undefined || stored.principal !== principalKey(caller.user)) return undefined;
    const at = now();
    if (at >= stored.openedAt + maxAgeMs) return undefined;
    if (at - stored.usedAt >= refreshMs) {
      const next = JSON.stringify({ ...stored, usedAt: at });
      // Where it fails, somebody else was faster, or ended the session.
      await store.compareAndSet(keyOf(sid!), text!, next, { ttlMs: ttlMs(stored, at) });
    }
    const revision = LEGACY_REVISIONS[stored.revision]!;
    return { sid: sid!, revision, clientCapabilities: unpackCapabilities(stored.capabilities) };
  }

  /** The id with the server's name, digested. */
  async function sidOf(id: string): Promise<string | undefined> {
    if (!/^[A-Za-z0-9_-]{32}$/.test(id)) return undefined;
    return encodeBase64Url(await digestText(`${id} ${server}`));
  }

  async function explain(id: string, { caller }: SessionCaller): Promise<string> {
    const sid = await sidOf(id);
    if (sid === undefined) return "The id is none that this server gives";
    const text = await store.get(keyOf(sid));
    const stored = text === undefined ? undefined : readSession(text);
    if (stored === undefined) return "The store has no such session: it has expired or was ended";
    return stored.principal === principalKey(caller.user)
      ? "The session has expired"
      : "The session is another caller's";
  }

  return {
    explain,
    open: async ({ revision, clientCapabilities }, { caller }) => {
      const id = encodeBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
      const at = now();
      const stored: StoredSession = {
        principal: principalKey(caller.user),
        revision: LEGACY_REVISIONS.indexOf(revision as never),
        capabilities: packCapabilities(clientCapabilities),
        openedAt: at,
        usedAt: 0,
      };
      const key = keyOf((await sidOf(id))!);
      await store.set(key, JSON.stringify(stored), {
        ttlMs: Math.min(UNUSED_MS, ttlMs(stored, at)),
      });
      return id;
    },
    find: read,
    end: async (id, by) => {
      const session = await read(id, by);
      if (session === undefined || !await store.delete(keyOf(session.sid))) return undefined;
      return session.sid;
    },
    sidOf,
    isOpen: async (sid) => await store.get(keyOf(sid)) !== undefined,
  };
}

function keyOf(sid: string): string {
  return `session:${sid}`;
}

/** What cannot be read belongs to nobody. */
function readSession(text: string): StoredSession | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    return isJsonObject(stored) && LEGACY_REVISIONS[stored.revision as number] !== undefined
      ? stored as object as StoredSession
      : undefined;
  } catch {
    return undefined;
  }
}
