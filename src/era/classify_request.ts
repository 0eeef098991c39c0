import { isJsonObject, ownValue } from "../protocol/json.ts";
import { MetaKey } from "../protocol/meta_key.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Era, Route } from "./era.ts";
import type { Inbound } from "./inbound.ts";
import { readLegacyMessage } from "./legacy/read_legacy_message.ts";
import { isModernRevision } from "./modern/modern_revisions.ts";
import { readRequestEnvelope, refuseEnvelope } from "./modern/read_request_envelope.ts";

/** The eras that a server serves. */
export interface Eras {
  /** Stateless: an envelope on every request. */
  readonly modern: Era;
  /** Opened by `initialize`. */
  readonly legacy: Era;
}

/**
 * Finds the era of a message.
 *
 * The request envelope alone makes a request modern (H-2): neither the method nor a header does. A
 * modern revision in the header without an envelope is a malformed modern request.
 *
 * @returns The route, or the refusal, in the order: envelope shape, header mismatch, unsupported
 * revision (H-12).
 */
export function classifyRequest(inbound: Inbound, eras: Eras): Route | Refusal {
  const { message } = inbound;
  const meta = message.params._meta;
  const version = isJsonObject(meta) ? ownValue(meta, MetaKey.protocolVersion) : undefined;
  if (typeof version === "string" && version !== "") {
    return readRequestEnvelope(inbound, eras.modern);
  }
  const header = inbound.version;
  if (header !== null && isModernRevision(header)) {
    // A notification needs no envelope: it is accepted and has no effect.
    return message.id === undefined
      ? { era: eras.modern, message, revision: header, clientCapabilities: {} }
      : refuseEnvelope(message, `_meta["${MetaKey.protocolVersion}"] is missing`);
  }
  return readLegacyMessage(inbound, eras.legacy);
}
