import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { RpcError } from "../protocol/rpc_error.ts";
import { chargeLimits, type Limits, type Visitor } from "./charge_limits.ts";
import { overLimit } from "./over_limit.ts";

/** What guards one binding, beside the permissions of its spec. */
export interface Gate {
  /** Scopes that a token must carry, all of them; empty asks for none. */
  readonly scopes: readonly string[];
  /** What counts admitted calls. Default: nothing does. */
  readonly limits?: Limits | undefined;
}

/** The gate's refusal. */
export interface Denied {
  /** What the caller is told. */
  readonly error: RpcError;
  /** Every scope that was asked for, where scopes were the reason; for the challenge. */
  readonly scopes?: readonly string[];
  /** The exact cause, for the log alone. */
  readonly because: string;
  /** After how many seconds to try again, where a limit was the reason. */
  readonly retryAfter?: number;
}

/**
 * Asks everything that stands before a call, in the one order there is: scopes, then permissions,
 * then rate limits. Calls, listings, reads, completions and streams all come through here. Only
 * who passed everything else is charged, and once (RL-2).
 *
 * @param gate What guards the binding.
 * @param visitor Who calls.
 * @param askPermissions Asks the spec's checks; not called where scopes are missing already.
 * @returns The refusal, or `undefined` for an admitted caller.
 */
export function admit(
  gate: Gate,
  visitor: Visitor,
  askPermissions: () => Awaitable<{ readonly message: string } | undefined>,
): Awaitable<Denied | undefined> {
  const { scopes } = gate;
  const { token } = visitor.caller;
  if (scopes.length > 0 && !scopes.every((scope) => token?.scopes.includes(scope))) {
    const missing = scopes.filter((scope) => !token?.scopes.includes(scope));
    const because = `The token lacks ${missing.join(" ")}`;
    return { error: insufficient({ requiredScopes: scopes }), scopes, because };
  }
  const denial = askPermissions();
  if (isThenable(denial)) return denial.then((settled) => conclude(settled, gate, visitor));
  return conclude(denial, gate, visitor);
}

function conclude(
  denial: { readonly message: string } | undefined,
  { limits }: Gate,
  visitor: Visitor,
): Awaitable<Denied | undefined> {
  if (denial !== undefined) return notPermitted(denial.message);
  if (limits === undefined) return undefined;
  return chargeLimits(limits, visitor)
    .then((waits) => waits === undefined ? undefined : overLimit(waits));
}

/**
 * The refusal of a caller by permissions: one answer, whatever was asked.
 *
 * @param because Which check refused, for the log.
 */
export function notPermitted(because: string): Denied {
  return { error: insufficient(), because };
}

function insufficient(data?: RpcError["data"]): RpcError {
  const message = "Insufficient permission";
  return data === undefined
    ? { code: ErrorCode.insufficientPermission, message }
    : { code: ErrorCode.insufficientPermission, message, data };
}
