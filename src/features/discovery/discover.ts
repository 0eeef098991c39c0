import type { JsonObject } from "../../protocol/json.ts";
import { serialize } from "../../present/serialize.ts";
import type { Method } from "../call.ts";
import { labelClient } from "../label_client.ts";
import { complete } from "../outcome.ts";

/** What a server says of itself. */
export interface DiscoveryOptions {
  /** Every revision it serves, the most preferred first. */
  readonly supportedVersions: readonly string[];
  /** What it can do; asked at each call, since catalogues may grow. */
  readonly capabilities: () => JsonObject;
  /** How a model should use it. */
  readonly instructions: string | undefined;
  /** Which era is discovered, for the log. */
  readonly era: string;
  /** How long a client may keep the answer, in milliseconds. */
  readonly ttlMs: number;
}

/**
 * Makes `server/discover`: the same for every caller.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/discover}
 */
export function createDiscover(options: DiscoveryOptions): Method {
  const { supportedVersions, instructions, ttlMs, era } = options;
  return ({ log, params }) => {
    log.info?.({
      level: "info",
      event: "era.chosen",
      message: "A client asks what the server is",
      fields: { era, ...labelClient(params) },
    });
    const answer = { supportedVersions, capabilities: options.capabilities(), instructions };
    return complete({
      members: serialize(answer).slice(1, -1),
      cache: { ttlMs, cacheScope: "public" },
    });
  };
}
