import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import { serialize } from "../../present/serialize.ts";
import type { Method } from "../../features/call.ts";
import { labelClient } from "../../features/label_client.ts";
import { failure, type Outcome } from "../../features/outcome.ts";
import { fingerprint } from "../../ports/fingerprint.ts";
import type { Implementation } from "../../protocol/descriptors.ts";
import { isLegacyRevision, LEGACY_REVISIONS } from "./legacy_revisions.ts";
import { StoreFullError } from "../../stores/store_full_error.ts";
import type { Sessions } from "./session.ts";

/** What a server says when it is opened. */
export interface InitializeOptions {
  readonly serverInfo: Implementation;
  readonly instructions: string | undefined;
  readonly capabilities: () => JsonObject;
  /** Keeps the sessions; absent where there are none. */
  readonly sessions: Sessions | undefined;
}

/**
 * Makes `initialize`: agrees on a revision, the requested one where it is served and the newest
 * otherwise, and opens a session where the server keeps any.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization}
 */
export function createInitialize(options: InitializeOptions): Method {
  const { serverInfo, instructions, sessions } = options;
  return async ({ params, caller, host, log }) => {
    const requested = ownValue(params, "protocolVersion");
    if (typeof requested !== "string") {
      return failure(ErrorCode.invalidParams, "Invalid params: protocolVersion must be a string");
    }
    const revision = isLegacyRevision(requested) ? requested : LEGACY_REVISIONS[0]!;
    const declared = ownValue(params, "capabilities");
    const answer = {
      protocolVersion: revision,
      capabilities: options.capabilities(),
      serverInfo,
      instructions,
    };
    const result = { members: serialize(answer).slice(1, -1) };
    const tell = (session?: string): void =>
      log.info?.({
        level: "info",
        event: "era.chosen",
        message: "A client opens a conversation",
        fields: {
          era: "legacy",
          revision,
          session: fingerprint(session),
          ...labelClient(params),
        },
      });
    if (sessions === undefined) {
      tell();
      return { type: "complete", result };
    }
    const clientCapabilities = isJsonObject(declared) ? declared : {};
    try {
      const session = await sessions.open({ revision, clientCapabilities }, { caller, host });
      tell(session);
      return { type: "complete", result, session };
    } catch (cause) {
      if (cause instanceof StoreFullError) return TOO_MANY;
      throw cause;
    }
  };
}

const TOO_MANY: Outcome = {
  type: "error",
  error: { code: ErrorCode.internalError, message: "Too many sessions are open: try again later" },
  status: 503,
};
