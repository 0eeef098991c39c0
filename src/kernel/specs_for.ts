import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal } from "../ports/principal.ts";
import type { ArgumentsOf, Flatten, Parameters } from "../schema/parameter.ts";
import type { InputOf, StandardSchema } from "../schema/standard_schema.ts";
import type { Fits, Fitting } from "./answer_mismatch.ts";
import { buildSelector, buildService } from "./build_spec.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { NoSeeds, SeedPool, SeedValues } from "./pool.ts";
import type { Takes } from "./pool_mismatch.ts";
import { noSeeds, type PoolSeeds } from "./pool_seeds.ts";
import type { Filling, Provider } from "./provider.ts";
import type { SelectorSpec, ServiceSpec } from "./spec.ts";
import type {
  AnyOutput,
  NoInput,
  NoParameters,
  NoTarget,
  SelectorOptions,
  ServiceOptions,
} from "./spec_options.ts";

/** `serviceSpec`, `selectorSpec` and `provider` for one set of users and seeds. */
export interface SpecBuilders<User extends Principal, Seeds extends SeedValues> {
  /**
   * Declares an operation that writes.
   *
   * @throws {ConfigurationError} when a field is wrong, naming the field.
   */
  readonly serviceSpec: <
    Reads extends Parameters = NoParameters,
    Shapes extends Parameters = NoParameters,
    In extends StandardSchema = NoInput,
    Out extends StandardSchema = AnyOutput,
    Many extends boolean = false,
    Instance = NoTarget,
    Collection = NoTarget,
    Given extends SeedValues = NoSeeds,
    Asked = unknown,
    Answer = never,
    Again = never,
    Shown = never,
    Sought = unknown,
    Gave = never,
  >(
    options: ServiceOptions<
      User,
      Seeds,
      Reads,
      Shapes,
      In,
      Out,
      Many,
      Instance,
      Collection,
      Given,
      Asked,
      Answer,
      Again,
      Shown,
      Sought,
      Gave
    >,
  ) => ServiceSpec<User, Seeds, Flatten<ArgumentsOf<Reads> & InputOf<In>>, InputOf<Out>>;
  /**
   * Declares an operation that reads.
   *
   * @throws {ConfigurationError} when a field is wrong, naming the field.
   */
  readonly selectorSpec: <
    const Kind extends "list" | "retrieve",
    Reads extends Parameters = NoParameters,
    Shapes extends Parameters = NoParameters,
    In extends StandardSchema = NoInput,
    Out extends StandardSchema = AnyOutput,
    Filters extends Parameters = NoParameters,
    Given extends SeedValues = NoSeeds,
    Asked = unknown,
    Answer = never,
    Extended = never,
    Shown = never,
    Sought = unknown,
    Gave = never,
  >(
    options: SelectorOptions<
      User,
      Seeds,
      Kind,
      Reads,
      Shapes,
      In,
      Out,
      Filters,
      Given,
      Asked,
      Answer,
      Extended,
      Shown,
      Sought,
      Gave
    >,
  ) => SelectorSpec<User, Seeds, Kind, Flatten<ArgumentsOf<Reads> & InputOf<In>>, InputOf<Out>>;
  /** Declares which keys a provider fills, and how surely. */
  readonly provider: <Values extends SeedValues, Sought = unknown, Gave = never>(
    keys: { readonly [K in keyof Values]: Filling },
    resolve: Fitting<
      Takes<Sought, SeedPool<User> & Seeds> & Fits<Gave, SeedValues>,
      (pool: SeedPool<User> & Seeds) => Awaitable<Values>
    >,
  ) => Provider<User, Seeds, Values>;
}

/** What specs share: their seeds, and a guard for those that declare none. */
export interface SpecDefaults<User extends Principal, Seeds extends SeedValues> {
  /** Seeds of every spec. Default: none. */
  readonly seeds?: PoolSeeds<User, Seeds>;
  /** Checks of every spec that declares no `permissions`. Default: none. */
  readonly permissions?: readonly PermissionCheck<User>[];
}

/**
 * Makes spec builders whose pools hold these seeds.
 *
 * @param defaults The seeds, or the seeds and a guard for every spec that declares none. Default:
 * neither, as in `specsFor<Staff>()`, which says who the users are.
 *
 * @example
 * ```ts
 * import { authenticated, specsFor } from "@limen/mcp";
 *
 * const { selectorSpec } = specsFor({ permissions: [authenticated] });
 * selectorSpec({ kind: "retrieve", select: ({ user }) => user.id });
 * ```
 */
export function specsFor<User extends Principal = Principal, Seeds extends SeedValues = NoSeeds>(
  defaults: PoolSeeds<User, Seeds> | SpecDefaults<User, Seeds> = {},
): SpecBuilders<User, Seeds> {
  const shared = "resolvers" in defaults ? { seeds: defaults } : defaults;
  const { seeds = noSeeds, permissions } = shared as SpecDefaults<Principal, SeedValues>;
  return {
    serviceSpec: (options) => buildService(options, seeds, permissions) as never,
    selectorSpec: (options) => buildSelector(options, seeds, permissions) as never,
    provider: (keys, resolve) =>
      Object.freeze({ keys: Object.freeze({ ...keys }), resolve: resolve as never }),
  };
}

const plain: SpecBuilders<Principal, NoSeeds> = specsFor(noSeeds);

/**
 * Declares an operation that writes.
 *
 * @throws {ConfigurationError} when a field is wrong, naming the field.
 *
 * @example
 * ```ts
 * import { param, serviceSpec, unrestricted } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const rename = serviceSpec({
 *   reads: { id: param.integer({ required: true }), name: param.string({ required: true }) },
 *   permissions: [unrestricted],
 *   run: ({ args }) => ({ id: args.id, name: args.name }),
 * });
 * assertEquals(rename.kind, "service");
 * ```
 */
export const serviceSpec: SpecBuilders<Principal, NoSeeds>["serviceSpec"] = plain.serviceSpec;

/**
 * Declares an operation that reads: many rows (`kind: "list"`) or one (`kind: "retrieve"`).
 *
 * @throws {ConfigurationError} when a field is wrong, naming the field.
 *
 * @example
 * ```ts
 * import { param, selectorSpec, unrestricted } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const greet = selectorSpec({
 *   kind: "retrieve",
 *   reads: { name: param.string({ required: true, help: "Whom to greet." }) },
 *   permissions: [unrestricted],
 *   select: ({ args }) => `Hello ${args.name}`,
 * });
 * assertEquals(greet.kind, "retrieve");
 * ```
 */
export const selectorSpec: SpecBuilders<Principal, NoSeeds>["selectorSpec"] = plain.selectorSpec;

/** Declares which keys a provider fills, and how surely. */
export const provider: SpecBuilders<Principal, NoSeeds>["provider"] = plain.provider;
