import { isJsonObject, type JsonObject, ownValue } from "../protocol/json.ts";
import { MetaKey } from "../protocol/meta_key.ts";

/** Names a client for the log as it names itself, which nobody has verified. */
export function labelClient(params: JsonObject): { readonly client?: string } {
  const { _meta: meta } = params;
  const info = ownValue(params, "clientInfo") ??
    (isJsonObject(meta) ? ownValue(meta, MetaKey.clientInfo) : undefined);
  if (!isJsonObject(info)) return {};
  const client = [info.name, info.version].filter((part) => typeof part === "string").join(" ");
  return { client: client.replace(/[^ -~]/g, "?").slice(0, 64) };
}
