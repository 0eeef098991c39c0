import type { Caller } from "../ports/principal.ts";

/**
 * Checks the shape of what an authenticator answers, whose author may not use types: a text in place
 * of the list of scopes would hold every scope that is a part of it, and ids of other kinds may be
 * written alike.
 *
 * @throws {TypeError} where it is no caller; a request is not served then.
 */
export function checkCaller(caller: Caller): void {
  const user: unknown = caller.user;
  if (typeof user !== "object" || user === null) throw invalid("user is no object");
  const { id } = user as { readonly id?: unknown };
  if (id !== undefined && typeof id !== "string") throw invalid("the id of user is no text");
  if (caller.token !== undefined && !Array.isArray(caller.token.scopes)) {
    throw invalid("the scopes of token are no list");
  }
}

function invalid(problem: string): TypeError {
  return new TypeError(`Cannot take the authenticator's answer: ${problem}`);
}
