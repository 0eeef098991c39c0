import { ErrorCode } from "../../protocol/error_code.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { Era, Route } from "../era.ts";
import type { Inbound } from "../inbound.ts";
import { MODERN_REVISIONS } from "../modern/modern_revisions.ts";
import { isLegacyRevision, LEGACY_REVISIONS } from "./legacy_revisions.ts";

/** Whether a method opens a conversation, before any revision is agreed on, and needs no session. */
export function isSessionless(method: string): boolean {
  return method === "initialize" || method === "server/discover";
}

/**
 * Reads the revision of a legacy message from its header (H-21).
 *
 * `initialize` negotiates in its body and ignores the header. A header that is missing leaves the
 * revision open, for a session to say.
 */
export function readLegacyMessage(
  { message, version: header }: Inbound,
  era: Era,
): Route | Refusal {
  const isOpening = isSessionless(message.method);
  if (header === null || message.method === "initialize") {
    const revision = isOpening ? LEGACY_REVISIONS[0]! : "";
    return { era, message, revision, clientCapabilities: {} };
  }
  if (isLegacyRevision(header)) {
    return { era, message, revision: header, clientCapabilities: {} };
  }
  return refuseRevision("Unsupported MCP-Protocol-Version", message.id);
}

/** Refuses a message whose revision is not served, or not said. */
export function refuseRevision(problem: string, id: Route["message"]["id"]): Refusal {
  return {
    refused: "unsupported-version",
    status: 400,
    error: {
      code: ErrorCode.invalidRequest,
      message: `${problem}: this server speaks ${LEGACY_REVISIONS.join(", ")}, and ` +
        `${MODERN_REVISIONS.join(", ")} with an envelope in params._meta`,
    },
    ...(id === undefined ? {} : { id }),
  };
}
