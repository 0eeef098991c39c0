/**
 * The `_meta` keys that the protocol reserves.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic#meta}
 */
export const MetaKey = {
  /** Revision of this request. */
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  /** Name and version of the client; unverified. */
  clientInfo: "io.modelcontextprotocol/clientInfo",
  /** What the client can do, for this request only. */
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  /** Name and version of the server. */
  serverInfo: "io.modelcontextprotocol/serverInfo",
  /** The id of the `subscriptions/listen` request that a message belongs to. */
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;
