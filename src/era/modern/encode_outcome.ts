import type { InputRequiredOutcome } from "../../features/elicitation/ask_back.ts";
import type { ErrorOutcome, Outcome } from "../../features/outcome.ts";
import type { ResultText } from "../../present/result_text.ts";
import { serialize } from "../../present/serialize.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { Implementation } from "../../protocol/descriptors.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
import { createBodyEncoder, encodeHead } from "../encode_body.ts";
import type { Wire } from "../era.ts";

/** HTTP statuses of errors, where they are not 200 (H-15). */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [ErrorCode.methodNotFound, 404],
  [ErrorCode.insufficientPermission, 403],
  [ErrorCode.headerMismatch, 400],
  [ErrorCode.missingClientCapability, 400],
  [ErrorCode.unsupportedProtocolVersion, 400],
]);

/**
 * Makes the encoder of the modern era, which names the result's type and the server on every result.
 *
 * @param serverInfo Who the server is.
 */
export function createModernEncoder(
  serverInfo: Implementation,
): (outcome: Outcome, id: RequestId) => Wire {
  const identity = `"${MetaKey.serverInfo}":${serialize(serverInfo)}`;
  const encodeBody = createBodyEncoder((result, type) =>
    `"result":${encodeResult(result, type, identity)}}`
  );
  return (outcome, id) => {
    if (outcome.type === "error") return encodeError(outcome, id);
    if (outcome.type === "input_required") {
      return { status: 200, body: `${encodeHead(id)}${encodeQuestions(outcome, identity)}` };
    }
    return { status: 200, body: encodeBody(outcome.result, id, outcome.type) };
  };
}

/**
 * Makes the writer of a task as `notifications/tasks` carries it: the JSON text of its parameters.
 *
 * @param serverInfo Who the server is.
 */
export function createTaskWriter(serverInfo: Implementation): (task: ResultText) => string {
  const identity = `"${MetaKey.serverInfo}":${serialize(serverInfo)}`;
  return ({ members, inner }) =>
    inner === undefined
      ? `{${members}}`
      : `{${members},"result":${encodeResult(inner, "complete", identity)}}`;
}

/** Writes a result as an object; one that is inside of another names its type as well. */
function encodeResult(result: ResultText, type: string, identity: string): string {
  const { members, structured, inner, meta, cache } = result;
  let text = members === "" ? "{" : `{${members},`;
  if (structured !== undefined) text += `"structuredContent":${structured},`;
  if (inner !== undefined) text += `"result":${encodeResult(inner, "complete", identity)},`;
  if (cache !== undefined) text += `"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}",`;
  const more = meta === undefined || meta === "{}" ? "}" : `,${meta.slice(1)}`;
  return `${text}"resultType":"${type}","_meta":{${identity}${more}}`;
}

function encodeQuestions(
  { requests, requestState }: InputRequiredOutcome,
  identity: string,
): string {
  const state = requestState === undefined ? "" : `,"requestState":${serialize(requestState)}`;
  return `"result":{"inputRequests":${serialize(requests)}${state},` +
    `"resultType":"input_required","_meta":{${identity}}}}`;
}

function encodeError({ error, status, challenge, retryAfter }: ErrorOutcome, id: RequestId): Wire {
  return {
    status: status ?? STATUSES.get(error.code) ?? 200,
    body: `${encodeHead(id)}"error":${serialize(error)}}`,
    ...(challenge === undefined ? {} : { challenge }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
