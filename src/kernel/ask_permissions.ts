import type { Awaitable } from "../ports/awaitable.ts";
import type { Log } from "../ports/log_event.ts";
import type { PermissionCheck, PermissionPool } from "./permission_check.ts";

/** Who refused, for the log; the caller is never told which check it was. */
export interface PermissionDenial {
  /** The check's own message, if it has one. */
  readonly message: string;
}

/**
 * Asks the checks in order until one refuses; asks each at most once.
 *
 * Fails closed: only `true` admits, a promise is awaited, a check that throws refuses.
 *
 * @param checks The operation's checks; none means nobody stated who may run it, which refuses.
 * @param pool What the checks may look at.
 * @param log Told of a check that throws.
 * @param isGranted Whether an operation without checks was granted to everyone when it was bound.
 * @returns The refusal, or `undefined` where every check admits.
 */
export function askPermissions(
  checks: readonly PermissionCheck[],
  pool: PermissionPool,
  log: Log,
  isGranted: boolean,
): Awaitable<PermissionDenial | undefined> {
  if (pool.user.active === false) return { message: "The account is deactivated" };
  if (checks.length === 0 && !isGranted) return { message: "No permission check is declared" };
  for (let i = 0; i < checks.length; i++) {
    const check = checks[i]!;
    const answer = ask(check, pool, log);
    if (answer === true) continue;
    // Awaiting tells a thenable from any other object, and survives one that throws.
    if (typeof answer === "object") return askRest(checks, i, answer, pool, log);
    return denial(check);
  }
  return undefined;
}

async function askRest(
  checks: readonly PermissionCheck[],
  start: number,
  pending: unknown,
  pool: PermissionPool,
  log: Log,
): Promise<PermissionDenial | undefined> {
  let answer = pending;
  for (let i = start; i < checks.length; i++) {
    const check = checks[i]!;
    if (i > start) answer = ask(check, pool, log);
    try {
      if (await answer !== true) return denial(check);
    } catch (cause) {
      return failed(check, cause, log);
    }
  }
  return undefined;
}

function ask(check: PermissionCheck, pool: PermissionPool, log: Log): unknown {
  try {
    return check.hasPermission(pool);
  } catch (cause) {
    return failed(check, cause, log);
  }
}

function failed(check: PermissionCheck, cause: unknown, log: Log): PermissionDenial {
  log({ level: "error", event: "permission.fault", message: "A permission check threw", cause });
  return denial(check);
}

function denial(check: PermissionCheck): PermissionDenial {
  return { message: check.message ?? "Insufficient permission" };
}

/**
 * Asks the checks that look at a row, of the row that was found (K-59). Fails closed like
 * {@linkcode askPermissions}.
 */
export async function askObjectPermissions(
  checks: readonly PermissionCheck[],
  pool: PermissionPool & { readonly instance: unknown },
  log: Log,
): Promise<PermissionDenial | undefined> {
  for (const check of checks) {
    try {
      if (check.hasObjectPermission === undefined) continue;
      if (await check.hasObjectPermission(pool) !== true) return denial(check);
    } catch (cause) {
      return failed(check, cause, log);
    }
  }
  return undefined;
}
