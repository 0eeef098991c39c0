import { quote } from "../present/serialize.ts";
import type { ResultText } from "../present/result_text.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Wire } from "./era.ts";

/** Opens a JSON-RPC response; the id keeps its type and value. */
export function encodeHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${quote(id)},`;
}

/**
 * Makes the writer of results. A reusable result is written as bytes once and copied from then on,
 * since only the id before it differs.
 *
 * @param encodeResult Writes everything after the id, with the closing brace of the response; it is
 * told what the result is, for eras that say so.
 */
export function createBodyEncoder(
  encodeResult: (result: ResultText, type: string) => string,
): (result: ResultText, id: RequestId, type?: string) => Wire["body"] {
  const kept = new WeakMap<ResultText, Uint8Array>();
  return (result, id, type = "complete") => {
    const head = encodeHead(id);
    if (result.reusable !== true) return head + encodeResult(result, type);
    let bytes = kept.get(result);
    if (bytes === undefined) {
      kept.set(result, bytes = new TextEncoder().encode(encodeResult(result, type)));
    }
    return join(head, bytes);
  };
}

function join(head: string, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(head);
  const whole = new Uint8Array(start.length + tail.length);
  whole.set(start);
  whole.set(tail, start.length);
  return whole;
}
