import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal, Token } from "../ports/principal.ts";

/** What a check may look at. */
export interface PermissionPool<User extends Principal = Principal> {
  /** Whoever calls. */
  readonly user: User;
  /** The credential, if there was one. */
  readonly token: Token | undefined;
  /**
   * The checked `reads`; empty where the arguments did not pass, and in listings. Fields of an
   * `input` schema are not here: they are checked after permissions.
   */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * A check of who may run an operation.
 *
 * Only the value `true` (or a promise of it) admits. A check that throws refuses, and the error is
 * logged.
 */
export interface PermissionCheck<User extends Principal = Principal> {
  /** For the log of a refusal. The caller is told the same sentence whatever check refused. */
  readonly message?: string;
  /** May this caller run the operation? */
  readonly hasPermission: (pool: PermissionPool<User>) => Awaitable<boolean>;
  /** May this caller touch this row? Asked once the target is found. Default: yes. */
  readonly hasObjectPermission?: (
    pool: PermissionPool<User> & { readonly instance: unknown },
  ) => Awaitable<boolean>;
}

/**
 * Admits everyone. An operation that is open says so in one word.
 *
 * @example
 * ```ts
 * import { selectorSpec, unrestricted } from "@limen/mcp";
 *
 * selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: () => "pong" });
 * ```
 */
export const unrestricted: PermissionCheck = Object.freeze({ hasPermission: () => true });

/**
 * Admits every caller whom a credential named.
 *
 * @example
 * ```ts
 * import { authenticated, selectorSpec } from "@limen/mcp";
 *
 * selectorSpec({ kind: "retrieve", permissions: [authenticated], select: () => "pong" });
 * ```
 */
export const authenticated: PermissionCheck = Object.freeze({
  message: "Sign in first",
  hasPermission: ({ user }: PermissionPool) => user.authenticated,
});
