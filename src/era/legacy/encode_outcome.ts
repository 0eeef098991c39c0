import { type ErrorOutcome, failure, type Outcome } from "../../features/outcome.ts";
import type { ResultText } from "../../present/result_text.ts";
import { serialize } from "../../present/serialize.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { createBodyEncoder, encodeHead } from "../encode_body.ts";
import type { Wire } from "../era.ts";

/**
 * Makes the encoder of the legacy era: no `resultType`, no caching hints, and `structuredContent` is
 * always an object (M-15).
 */
export function createLegacyEncoder(): (outcome: Outcome, id: RequestId) => Wire {
  const encodeBody = createBodyEncoder(encodeResult);
  return (outcome, id) => {
    if (outcome.type === "error") return encodeError(outcome, id);
    if (outcome.type === "input_required") return encodeError(UNASKABLE, id);
    const body = encodeBody(outcome.result, id);
    const session = outcome.type === "complete" ? outcome.session : undefined;
    return session === undefined ? { status: 200, body } : { status: 200, body, session };
  };
}

/** Only what wraps methods could make such an outcome: in this era nothing that runs can ask. */
const UNASKABLE: ErrorOutcome = failure(ErrorCode.internalError, "Internal error");

function encodeResult({ members, structured, wrapsForLegacy, meta }: ResultText): string {
  let text = `"result":{${members}`;
  if (structured !== undefined) {
    text += `,"structuredContent":${wrapsForLegacy ? `{"result":${structured}}` : structured}`;
  }
  if (meta !== undefined) text += `,"_meta":${meta}`;
  return `${text}}}`;
}

/** Errors ride in a 200, but for those of the gate and faults (H-27). */
function encodeError({ error, status, challenge, retryAfter }: ErrorOutcome, id: RequestId): Wire {
  const isDenied = error.code === ErrorCode.insufficientPermission;
  return {
    status: status ?? (isDenied ? 403 : 200),
    body: `${encodeHead(id)}"error":${serialize(error)}}`,
    ...(challenge === undefined ? {} : { challenge }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
