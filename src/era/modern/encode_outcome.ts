import type { ErrorOutcome, Outcome } from "../../features/outcome.ts";
import type { ResultText } from "../../present/result_text.ts";
import { escapeForWire, serialize } from "../../present/serialize.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import type { Implementation } from "../../protocol/descriptors.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
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
 * A reusable result is written as bytes once and copied from then on.
 *
 * @param serverInfo Who the server is.
 */
export function createModernEncoder(
  serverInfo: Implementation,
): (outcome: Outcome, id: RequestId) => Wire {
  const identity = `"${MetaKey.serverInfo}":${serialize(serverInfo)}`;
  const plainTail = `,"resultType":"complete","_meta":{${identity}}}}`;
  const kept = new WeakMap<ResultText, Uint8Array>();
  return (outcome, id) => {
    const head = `{"jsonrpc":"2.0","id":${encodeId(id)},`;
    if (outcome.type === "error") return encodeError(outcome, head);
    const { result } = outcome;
    if (result.reusable !== true) return { status: 200, body: head + encodeResult(result) };
    let bytes = kept.get(result);
    if (bytes === undefined) {
      kept.set(result, bytes = new TextEncoder().encode(encodeResult(result)));
    }
    return { status: 200, body: join(head, bytes) };
  };

  function encodeResult(result: ResultText): string {
    const { members, structured, meta, cache } = result;
    let text = `"result":{${members}`;
    if (structured !== undefined) text += `,"structuredContent":${structured}`;
    if (cache !== undefined) {
      text += `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}"`;
    }
    if (meta === undefined || meta === "{}") return text + plainTail;
    return `${text},"resultType":"complete","_meta":{${identity},${meta.slice(1)}}}`;
  }
}

/** Writes an id as JSON; a number is written as it is. */
function encodeId(id: RequestId): string {
  return typeof id === "number" ? String(id) : escapeForWire(JSON.stringify(id));
}

function encodeError({ error, status, challenge }: ErrorOutcome, head: string): Wire {
  return {
    status: status ?? STATUSES.get(error.code) ?? 200,
    body: `${head}"error":${serialize(error)}}`,
    ...(challenge === undefined ? {} : { challenge }),
  };
}

function join(head: string, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(head);
  const whole = new Uint8Array(start.length + tail.length);
  whole.set(start);
  whole.set(tail, start.length);
  return whole;
}
