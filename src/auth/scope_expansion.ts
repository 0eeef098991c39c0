import { isScope } from "../gate/is_scope.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Caller } from "../ports/principal.ts";
import { withScopes } from "./held_token.ts";

/** Which scopes a broader scope implies, such as `{ admin: ["write"], write: ["read"] }`. */
export type ScopeHierarchy = Readonly<Record<string, readonly string[]>>;

/**
 * Makes what adds to a caller's scopes all that they imply, through any number of steps; a circle is
 * no harm. A caller that an authenticator keeps is expanded once.
 *
 * @param implies What each scope implies.
 * @throws {ConfigurationError} when it holds what is no scope.
 */
export function createScopeExpansion(implies: ScopeHierarchy): (caller: Caller) => Caller {
  const direct = new Map(Object.entries(implies));
  for (const scope of [...direct].flat(2)) {
    if (isScope(scope)) continue;
    throw new ConfigurationError(
      `Cannot create server: option implies holds ${JSON.stringify(scope)}, not a scope`,
    );
  }
  const known = new WeakMap<Caller, Expansion>();
  return (caller) => {
    const { user, token } = caller;
    if (token === undefined) return caller;
    const { scopes } = token;
    const last = known.get(caller);
    if (last?.user === user && last.token === token && last.scopes === scopes) return last.expanded;
    const wider = withScopes(token, closureOf(scopes, direct));
    const expanded = Object.freeze({ ...caller, token: wider });
    known.set(caller, { user, token, scopes, expanded });
    return expanded;
  };
}

/** What was made of a caller, and of which parts: an authenticator may have given it others since. */
interface Expansion extends Required<Caller> {
  readonly scopes: readonly string[];
  readonly expanded: Caller;
}

function closureOf(
  scopes: readonly string[],
  direct: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const closure = new Set(scopes);
  // A set hands out what is added while it is walked.
  for (const scope of closure) for (const implied of direct.get(scope) ?? []) closure.add(implied);
  return Object.freeze([...closure]);
}
