import type { Clock } from "../../ports/clock.ts";
import { createKeyRing, type SecretSource } from "../../ports/key_ring.ts";
import type { Log } from "../../ports/log_event.ts";
import type { Broker } from "../../stores/broker.ts";
import type { KeyValueStore } from "../../stores/key_value_store.ts";
import { LegacySessions } from "./legacy_sessions.ts";
import { ReplayBuffer, type ReplayOptions } from "./replay_buffer.ts";
import { createRevocationMarks } from "./revocation_marks.ts";
import { createSealedSessions } from "./sealed_sessions.ts";
import type { Sessions } from "./session.ts";
import { createStoredSessions } from "./stored_sessions.ts";

/** The settings of a server that concern its legacy sessions. */
export interface LegacySessionSettings {
  readonly name: string;
  readonly publicUrl?: string;
  readonly secret?: SecretSource;
  readonly sessions?: "sealed" | "stored" | "none";
  readonly sessionMaxAgeMs: number;
  readonly sessionIdleTtlMs: number;
  readonly broker?: Broker;
  readonly replay?: ReplayOptions;
  readonly clock: Clock;
}

/** Makes the sessions of a server by its settings; `undefined` where it keeps none. */
export function createLegacySessions(
  settings: LegacySessionSettings,
  store: KeyValueStore,
  log: Log,
): LegacySessions | undefined {
  const kept = keepSessions(settings, store);
  if (kept === undefined) return undefined;
  const { name: server, clock, broker, replay: options, sessionIdleTtlMs: ttlMs } = settings;
  const replay = options &&
    new ReplayBuffer(store, { ...options, ttlMs, now: () => clock.now() });
  return new LegacySessions({ kept, broker, replay, server, log, clock });
}

function keepSessions(settings: LegacySessionSettings, store: KeyValueStore): Sessions | undefined {
  const { name: server, publicUrl, secret, sessions, clock } = settings;
  const { sessionMaxAgeMs: maxAgeMs, sessionIdleTtlMs: idleTtlMs } = settings;
  const now = (): number => clock.now();
  if (sessions === "stored") {
    return createStoredSessions({ store, server, maxAgeMs, idleTtlMs, now });
  }
  if (secret === undefined || sessions === "none") return undefined;
  return createSealedSessions({
    sealerFor: createKeyRing(secret, { purpose: "session", server, publicUrl }),
    maxAgeMs,
    now,
    marks: createRevocationMarks(store),
  });
}
