import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal } from "../ports/principal.ts";
import type { Fits, Fitting } from "./answer_mismatch.ts";
import type { SeedPool, SeedValues } from "./pool.ts";
import type { Takes } from "./pool_mismatch.ts";

/** How sure a provider is to fill a key: the server's for good, or only when it can. */
export type Filling = "always" | "maybe";

/**
 * Values that the server adds to a call. It says which keys it fills, so that those are not asked of
 * the caller.
 */
export interface Provider<
  User extends Principal = Principal,
  Seeds extends SeedValues = SeedValues,
  Values extends SeedValues = SeedValues,
> {
  /**
   * `"always"` keys are the server's: not offered, and unknown where a caller sends them. `"maybe"`
   * keys are offered and not required; a value of the server wins.
   */
  readonly keys: { readonly [K in keyof Values]: Filling };
  /** Works the values out. */
  readonly resolve: (pool: SeedPool<User> & Seeds) => Awaitable<Values>;
}

/** A provider, or a bare function that does not say which keys it fills: then nothing is required. */
export type Provided<
  User extends Principal = Principal,
  Seeds extends SeedValues = SeedValues,
  Values extends SeedValues = SeedValues,
> =
  | Provider<User, Seeds, Values>
  | ((pool: SeedPool<User> & Seeds) => Awaitable<Values>);

/**
 * Takes a provider or a function that fits, and tells of another what does not. What it asks for and
 * what it answers are type parameters of their own, as of `Takes` and `Fits`. Hover: `Provided<…>`,
 * `AnswerMismatch<…>` or `PoolMismatch<…>`.
 */
export type Provides<
  User extends Principal,
  Seeds extends SeedValues,
  Values extends SeedValues,
  Sought,
  Gave,
> = Fitting<
  Takes<Sought, SeedPool<User> & Seeds> & Fits<Gave, SeedValues>,
  Provided<User, Seeds, Values>
>;

/** What a provider does to the arguments of an operation. */
export interface Reach {
  /** The server's keys. */
  readonly owned: ReadonlySet<string>;
  /** Keys that are offered and not required. */
  readonly optional: ReadonlySet<string>;
  /** Whether any key may be filled, so that nothing is required. */
  readonly reachesAll: boolean;
}

/** Works out what providers do to the arguments (K-32, K-33). */
export function reachOf(providers: readonly (Provided | undefined)[]): Reach {
  const owned = new Set<string>();
  const optional = new Set<string>();
  let reachesAll = false;
  for (const provider of providers) {
    if (provider === undefined) continue;
    if (typeof provider === "function") reachesAll = true;
    else {
      for (const [key, filling] of Object.entries(provider.keys)) {
        (filling === "always" ? owned : optional).add(key);
      }
    }
  }
  return { owned, optional, reachesAll };
}

/** Asks a provider. */
export function provide(provider: Provided, pool: object): Awaitable<SeedValues> {
  const resolve = typeof provider === "function" ? provider : provider.resolve;
  return resolve(pool as SeedPool & SeedValues);
}
