/**
 * What a function lacks that asks its pool for something else than there is: an error then names what
 * does not fit in two lines.
 */
export interface PoolMismatch<Asked, Given> {
  /** Never present. */
  readonly "~pool": readonly [Asked, Given];
}

/**
 * Asks nothing of a function whose pool is not annotated, or is with what there is, and of another
 * what it cannot have. What it asks for is a type parameter of its own, as the answer of `Fits`. Hover:
 * `unknown`, or `PoolMismatch<{ user: Staff }, { user: Principal }>` with the entries that do not fit.
 */
export type Takes<Asked, Pool> = [[Pool] extends [Asked] ? true : never] extends [never]
  ? [Asked] extends [never] ? Taker<Asked>
  : PoolMismatch<
    {
      [K in keyof Asked as K extends keyof Pool ? Pool[K] extends Asked[K] ? never : K : K]:
        Asked[K];
    },
    {
      [K in keyof Pool as K extends keyof Asked ? Pool[K] extends Asked[K] ? never : K : never]:
        Pool[K];
    }
  >
  : unknown;

/** What takes a pool: a function, or a provider. */
export type Taker<Asked> = ((pool: Asked) => unknown) | {
  /** Takes it. */
  readonly resolve: (pool: Asked) => unknown;
};
