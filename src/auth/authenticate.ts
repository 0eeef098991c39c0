import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import { anonymous, type Caller } from "../ports/principal.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Authenticator } from "./authenticator.ts";
import { challenge } from "./challenge.ts";

const NOBODY: Caller = Object.freeze({ user: anonymous });

/**
 * Finds out who calls.
 *
 * @param request The request, for the authenticator's eyes.
 * @param authenticator Who says; without one everybody is anonymous.
 * @param id The JSON-RPC id, for the body of a refusal.
 * @returns The caller, or the 401.
 */
export function authenticate(
  request: Request,
  authenticator: Authenticator | undefined,
  id: RequestId | undefined,
): Awaitable<Caller | Refusal> {
  if (authenticator === undefined) return NOBODY;
  const caller = authenticator.authenticate(request);
  return isThenable(caller)
    ? caller.then((settled) => settled ?? unauthorized(request, id))
    : caller ?? unauthorized(request, id);
}

function unauthorized(request: Request, id: RequestId | undefined): Refusal {
  const sentToken = request.headers.get("authorization") !== null;
  return {
    refused: "unauthorized",
    status: 401,
    error: { code: ErrorCode.invalidRequest, message: "Authentication required" },
    headers: { "www-authenticate": challenge(sentToken ? { error: "invalid_token" } : {}) },
    ...(id === undefined ? {} : { id }),
  };
}
