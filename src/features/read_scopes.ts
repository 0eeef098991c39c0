import { isScope } from "../gate/is_scope.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";

/**
 * Reads the scopes that a binding asks for.
 *
 * @param scopes One scope, or all that a token must carry.
 * @param where Whose they are, for errors: `tool "a"`.
 * @returns The list; empty where none is asked for.
 * @throws {ConfigurationError} when the list is empty or holds what is no scope.
 */
export function readScopes(
  scopes: string | readonly string[] | undefined,
  where: string,
): readonly string[] {
  if (scopes === undefined) return [];
  const list = typeof scopes === "string" ? [scopes] : scopes;
  if (list.length === 0) {
    throw invalid(where, "scopes is empty, which would admit everyone; leave it out instead");
  }
  const bad = list.find((scope) => !isScope(scope)); // it could break out of the challenge
  if (bad !== undefined) throw invalid(where, `scopes holds ${JSON.stringify(bad)}, not a scope`);
  return Object.freeze([...list]);
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
