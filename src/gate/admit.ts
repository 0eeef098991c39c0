import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { Caller } from "../ports/principal.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RpcError } from "../protocol/rpc_error.ts";

/** What guards one binding, beside the permissions of its spec. */
export interface Gate {
  /** Scopes that a token must carry, all of them; empty asks for none. */
  readonly scopes: readonly string[];
}

/** The gate's refusal. */
export interface Denied {
  /** What the caller is told. */
  readonly error: RpcError;
  /** Every scope that was asked for, where scopes were the reason; for the challenge. */
  readonly scopes?: readonly string[];
}

/**
 * Asks everything that stands before a call, in the one order there is: scopes, then permissions,
 * then rate limits. Calls, listings, reads, completions and streams all come through here.
 *
 * @param gate What guards the binding.
 * @param caller Who calls.
 * @param askPermissions Asks the spec's checks; not called where scopes are missing already.
 * @returns The refusal, or `undefined` for an admitted caller.
 */
export function admit(
  gate: Gate,
  caller: Caller,
  askPermissions: () => Awaitable<{ readonly message: string } | undefined>,
): Awaitable<Denied | undefined> {
  const { scopes } = gate;
  if (scopes.length > 0 && !scopes.every((scope) => caller.token?.scopes.includes(scope))) {
    return { error: insufficient({ requiredScopes: scopes }), scopes };
  }
  const denial = askPermissions();
  if (isThenable(denial)) return denial.then(toDenied);
  return toDenied(denial);
}

/** The refusal of a caller by permissions: one answer, whatever was asked. */
export const notPermitted: Denied = Object.freeze({ error: insufficient() });

function toDenied(denial: { readonly message: string } | undefined): Denied | undefined {
  return denial === undefined ? undefined : notPermitted;
}

function insufficient(data?: RpcError["data"]): RpcError {
  const message = "Insufficient permission";
  return data === undefined
    ? { code: ErrorCode.insufficientPermission, message }
    : { code: ErrorCode.insufficientPermission, message, data };
}
