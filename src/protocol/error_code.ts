/**
 * The JSON-RPC error codes that this library sends.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes}
 */
export const ErrorCode = {
  /** The body is not JSON. */
  parseError: -32700,
  /** The body is JSON but not a JSON-RPC request, or HTTP was misused. */
  invalidRequest: -32600,
  /** The method is not served. */
  methodNotFound: -32601,
  /** The parameters are malformed, or name something that does not exist. */
  invalidParams: -32602,
  /** The server failed; `data.reference` finds the cause in its log. */
  internalError: -32603,
  /** Legacy callers only: no resource has this URI. */
  resourceNotFound: -32002,
  /** A rate limit is exhausted; `data.retryAfter` says for how many seconds. */
  rateLimited: -32005,
  /** The caller may not do this. */
  insufficientPermission: -32006,
  /** The mirrored HTTP headers contradict the body. */
  headerMismatch: -32020,
  /** The client did not declare a capability that the request needs. */
  missingClientCapability: -32021,
  /** The protocol revision is not served. */
  unsupportedProtocolVersion: -32022,
} as const;

/** One of {@linkcode ErrorCode}'s numbers. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
