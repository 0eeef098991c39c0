import { encodeBase64Url } from "../../ports/base64url.ts";
import { LEGACY_REVISIONS } from "./legacy_revisions.ts";
import type { Session } from "./session.ts";
import { packCapabilities, unpackCapabilities } from "./session_capabilities.ts";

/** What is inside a sealed session id. */
export interface SessionPayload extends Session {
  /** Keyed hash of the principal, 16 bytes. */
  readonly principal: Uint8Array<ArrayBuffer>;
  /** When it ends, in seconds since the epoch. */
  readonly expiresAt: number;
}

const VERSION = 1;
const SID_BYTES = 16;
const LENGTH = 1 + SID_BYTES + 16 + 1 + 1 + 4 + 4;

/**
 * Writes the payload of a session id: version, sid, keyed hash of the principal, revision, a fixed set
 * of capability bits, issued-at and expiry. Nothing a client sent is copied in (B3).
 */
export function writeSessionPayload(
  payload: SessionPayload,
  sid: Uint8Array,
  issuedAt: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(LENGTH);
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  bytes.set(sid, 1);
  bytes.set(payload.principal, 17);
  bytes[33] = LEGACY_REVISIONS.indexOf(payload.revision as never);
  bytes[34] = packCapabilities(payload.clientCapabilities);
  view.setUint32(35, issuedAt);
  view.setUint32(39, payload.expiresAt);
  return bytes;
}

/** Reads a payload whose seal is good; `undefined` for one of another version. */
export function readSessionPayload(bytes: Uint8Array<ArrayBuffer>): SessionPayload | undefined {
  if (bytes.length !== LENGTH || bytes[0] !== VERSION) return undefined;
  const revision = LEGACY_REVISIONS[bytes[33]!];
  if (revision === undefined) return undefined;
  return {
    sid: encodeBase64Url(bytes.subarray(1, 17)),
    principal: bytes.slice(17, 33),
    revision,
    clientCapabilities: unpackCapabilities(bytes[34]!),
    expiresAt: new DataView(bytes.buffer).getUint32(39),
  };
}
