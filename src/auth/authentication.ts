import { andThen, type Awaitable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import { anonymous, type Caller } from "../ports/principal.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Authenticator } from "./authenticator.ts";
import { checkCaller } from "./check_caller.ts";
import { challenge } from "./challenge.ts";
import type { ResourceMetadata } from "./resource_metadata.ts";
import { createScopeExpansion, type ScopeHierarchy } from "./scope_expansion.ts";

/** How a server finds out who calls. */
export interface AuthenticationOptions {
  /** Who says; absent where everybody is anonymous. */
  readonly auth?: Authenticator;
  /** Which scopes imply which others. */
  readonly implies?: ScopeHierarchy;
}

/** Answers who sent a request, or the 401; the id is that of the message, for the 401's body. */
export type Authentication = (
  request: Request,
  host: HostContext,
  id: RequestId | undefined,
) => Awaitable<Caller | Refusal>;

/**
 * Makes what finds out who calls. An authenticator that answers at once is not waited for.
 *
 * @param options Who says, and what scopes mean.
 * @param metadata What a client that is turned away is pointed to.
 * @throws {ConfigurationError} when the hierarchy of scopes holds what is no scope.
 */
export function createAuthentication(
  options: AuthenticationOptions,
  metadata: ResourceMetadata | undefined,
): Authentication {
  const { auth, implies } = options;
  const expand = implies === undefined ? undefined : createScopeExpansion(implies);
  if (auth === undefined) return () => NOBODY;
  return (request, host, id) =>
    andThen(auth.authenticate(request, host), (caller): Caller | Refusal => {
      if (caller?.user === undefined) return unauthorized(request, id, metadata, caller?.because);
      checkCaller(caller);
      return expand === undefined ? caller : expand(caller);
    });
}

const NOBODY: Caller = Object.freeze({ user: anonymous });

function unauthorized(
  request: Request,
  id: RequestId | undefined,
  metadata: ResourceMetadata | undefined,
  because: string | undefined,
): Refusal {
  const value = challenge({
    ...(metadata && { resourceMetadata: metadata.url, scopes: metadata.initialScopes }),
    ...(request.headers.get("authorization") === null ? {} : { error: "invalid_token" }),
  });
  return {
    refused: "unauthorized",
    status: 401,
    error: { code: ErrorCode.invalidRequest, message: "Authentication required" },
    headers: { "www-authenticate": value },
    ...(because === undefined ? {} : { because }),
    ...(id === undefined ? {} : { id }),
  };
}
