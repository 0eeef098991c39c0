import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";
import { type NoSeeds, RESERVED_NAMES, type SeedPool, type SeedValues } from "./pool.ts";

/** Works out one seed for the caller. Annotate its pool to say who the users are. */
export type SeedResolver = { resolve(pool: SeedPool<Principal>): unknown }["resolve"];

/** The user type that the resolvers' annotations ask for. Hover: `Staff`. */
export type UserOf<R> = R[keyof R] extends (pool: SeedPool<infer User>) => unknown
  ? (unknown extends User ? Principal : User extends Principal ? User : Principal)
  : Principal;

/** The values of resolvers. Hover: `{ tenant: string; clock: () => Date }`. */
export type SeedsOf<R> = {
  readonly [K in keyof R]: R[K] extends (pool: never) => infer Value ? Awaited<Value> : never;
};

/** A frozen registry of seeds: named values that the server supplies to every callable. */
export interface PoolSeeds<
  in User extends Principal = Principal,
  out Seeds extends SeedValues = SeedValues,
> {
  /** The resolvers by name. */
  readonly resolvers: Readonly<Record<keyof Seeds & string, (pool: never) => unknown>>;
  /**
   * Returns a new registry with more seeds; this one stays as it is.
   *
   * @throws {ConfigurationError} when a name is reserved or taken.
   */
  extend<const R extends Readonly<Record<string, SeedResolver>>>(
    more: R,
  ): PoolSeeds<User extends UserOf<R> ? User : User & UserOf<R>, Seeds & SeedsOf<R>>;
  /** Carries the type of the users; never present at run time. */
  readonly "~user"?: (user: User) => void;
}

/**
 * Declares seeds: values worked out per call, for the caller, before any callable runs. They are never
 * the caller's to send. A resolver must answer for every caller that the server admits.
 *
 * @throws {ConfigurationError} when a name is reserved.
 *
 * @example
 * ```ts
 * import { poolSeeds, type Principal, type SeedPool, specsFor, unrestricted } from "@limen/mcp";
 *
 * interface Staff extends Principal {
 *   readonly tenant: string;
 * }
 * const seeds = poolSeeds({ tenant: ({ user }: SeedPool<Staff>) => user.tenant });
 * const { selectorSpec } = specsFor(seeds);
 * selectorSpec({ kind: "retrieve", permissions: [unrestricted], select: ({ tenant }) => tenant });
 * ```
 */
export function poolSeeds<const R extends Readonly<Record<string, SeedResolver>>>(
  resolvers: R,
): PoolSeeds<UserOf<R>, SeedsOf<R>> {
  return buildSeeds(resolvers) as PoolSeeds<UserOf<R>, SeedsOf<R>>;
}

function buildSeeds(resolvers: Readonly<Record<string, SeedResolver>>): PoolSeeds {
  for (const [name, resolver] of Object.entries(resolvers)) {
    if (RESERVED_NAMES.includes(name) || name === "__proto__") {
      throw new ConfigurationError(`Cannot declare seed "${name}": the name is reserved`);
    }
    if (typeof resolver !== "function") {
      throw new ConfigurationError(`Cannot declare seed "${name}": expected a function`);
    }
  }
  return Object.freeze({
    resolvers: Object.freeze({ ...resolvers }),
    extend: (more: Readonly<Record<string, SeedResolver>>) => {
      const taken = Object.keys(more).find((name) => Object.hasOwn(resolvers, name));
      if (taken === undefined) return buildSeeds({ ...resolvers, ...more });
      throw new ConfigurationError(`Cannot declare seed "${taken}": the name is taken`);
    },
  }) as PoolSeeds;
}

/** No seeds at all. */
export const noSeeds: PoolSeeds<Principal, NoSeeds> = poolSeeds({});

/** Resolves every seed against the caller; independent of their order. */
export function resolveSeeds(seeds: PoolSeeds, pool: SeedPool): Awaitable<SeedValues> {
  const values: Record<string, unknown> = {};
  const pending: Promise<void>[] = [];
  for (const [name, resolve] of Object.entries(seeds.resolvers)) {
    const value = (resolve as SeedResolver)(pool);
    if (!isThenable(value)) values[name] = value;
    else pending.push(Promise.resolve(value).then((settled) => void (values[name] = settled)));
  }
  return pending.length === 0 ? values : Promise.all(pending).then(() => values);
}
