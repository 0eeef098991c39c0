import { quote } from "../../present/serialize.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import { MetaKey } from "../../protocol/meta_key.ts";
import { complete, type Outcome } from "../outcome.ts";

/**
 * The result that ends a feed gracefully, and says nothing but which one (S-6).
 *
 * @param id The id of the request that opened it.
 */
export function closeFeed(id: RequestId): Outcome {
  const meta = `{"${MetaKey.subscriptionId}":${quote(id)}}`;
  return complete({ members: "", meta });
}
