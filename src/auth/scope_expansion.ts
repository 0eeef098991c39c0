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
  const known = new WeakMap<Caller, Caller>();
  return (caller) => {
    if (caller.token === undefined) return caller;
    let expanded = known.get(caller);
    if (expanded === undefined) {
      const scopes = closureOf(caller.token.scopes, direct);
      expanded = Object.freeze({ ...caller, token: withScopes(caller.token, scopes) });
      known.set(caller, expanded);
    }
    return expanded;
  };
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
