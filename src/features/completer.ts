import type { SeedPool } from "../kernel/pool.ts";
import type { Awaitable } from "../ports/awaitable.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";

/** What a completer receives. */
export interface CompletionPool<User extends Principal = Principal> extends SeedPool<User> {
  /** What was typed so far; `""` at the start. */
  readonly value: string;
  /** The other arguments, as far as the client has settled them, as text. */
  readonly args: Readonly<Record<string, string>>;
  /** Aborted when the caller leaves or cancels; made when first read. */
  readonly signal: AbortSignal;
}

/**
 * Suggests values of one argument: any iterable, lazy ones included, of which the first hundred are
 * served; a lone string is one suggestion.
 */
export type Completer<User extends Principal = Principal> = (
  pool: CompletionPool<User>,
) => Awaitable<
  string | Iterable<string | number> | AsyncIterable<string | number> | null | undefined
>;

/** Completers by the name of their argument. */
export type Completers<User extends Principal = Principal, Name extends string = string> = {
  readonly [K in Name]?: Completer<User>;
};

/**
 * Reads the completers of a binding.
 *
 * @param completers What an author gave; `undefined` is none.
 * @param names The arguments that the binding has.
 * @param where Whose they are, for errors: `prompt "a"`.
 * @throws {ConfigurationError} when one belongs to no argument (C-6), or is no function.
 */
export function readCompleters(
  completers: object | undefined,
  names: readonly string[],
  where: string,
): ReadonlyMap<string, Completer> {
  const read = new Map<string, Completer>();
  for (const [name, completer] of Object.entries(completers ?? {})) {
    if (completer === undefined) continue;
    if (!names.includes(name)) {
      throw new ConfigurationError(
        `Cannot register ${where}: complete names ${JSON.stringify(name)}, which is no argument`,
      );
    }
    if (typeof completer !== "function") {
      throw new ConfigurationError(
        `Cannot register ${where}: complete.${name} must be a function`,
      );
    }
    read.set(name, completer);
  }
  return read;
}
