import type { Awaitable } from "../ports/awaitable.ts";
import type { Principal } from "../ports/principal.ts";
import type { KeepLiterals } from "./keep_literals.ts";
import type { ArgumentsOf, Flatten, Parameters } from "../schema/parameter.ts";
import type {
  Describes,
  InputOf,
  OutputOf,
  Schema,
  StandardSchema,
} from "../schema/standard_schema.ts";
import type { Affordance } from "./affordance.ts";
import type { Expects, Fits } from "./answer_mismatch.ts";
import type { AudienceFields } from "./audience.ts";
import type { Pageable } from "./pageable.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { Takes } from "./pool_mismatch.ts";
import type { NoSeeds, Pool, SeedPool, SeedValues } from "./pool.ts";
import type { Provides } from "./provider.ts";
import type { SelectorSpec, ServiceSpec } from "./spec.ts";

/** No arguments. */
export type NoInput = Schema<NoSeeds>;
/** No declared output: the value is served as it is. */
export type AnyOutput = Schema<unknown>;
/** No parameters. */
export type NoParameters = Readonly<Record<never, never>>;
/** No target. */
export interface NoTarget {
  /** Never present. */
  readonly "~none": never;
}

/** Many rows. */
export type Rows<Row> = readonly Row[] | Iterable<Row> | AsyncIterable<Row> | Pageable<Row>;

/** What a callable receives as `args`. */
export type Arguments<Reads extends Parameters, In extends StandardSchema> = Flatten<
  ArgumentsOf<Reads> & OutputOf<In>
>;

/** What a service receives as `args`: of a `many` spec the checked list. */
export type ServiceArguments<
  Reads extends Parameters,
  In extends StandardSchema,
  Many extends boolean,
> = Many extends true ? readonly OutputOf<In>[] : Arguments<Reads, In>;

/** What a service answers: of a `many` spec a list. */
export type ServiceAnswer<Out extends StandardSchema, Many extends boolean> = Many extends true
  ? readonly InputOf<Out>[]
  : InputOf<Out>;

/** What a selector answers: rows, or one that may not be there. */
export type SelectorAnswer<Kind extends "list" | "retrieve", Row> = Kind extends "list" ? Rows<Row>
  : Row | null | undefined;

/**
 * The pool of a run. An annotation declares nothing that is given: it is checked against what is.
 * Hover: `{ args: …; user: Staff; instance: Invoice; tenant: string; … }`.
 */
export type RunPool<
  User extends Principal,
  Seeds extends SeedValues,
  Args,
  Instance = NoTarget,
  Collection = NoTarget,
  Given extends SeedValues = NoSeeds,
> = Flatten<
  & Pool<User, Args>
  & ([Instance] extends [NoTarget] ? unknown : { readonly instance: Instance })
  & ([Collection] extends [NoTarget] ? unknown : { readonly collection: Collection })
  & Seeds
  & NoInfer<Given>
>;

/** The pool of a presenter. */
export type PresentPool<
  User extends Principal,
  Seeds extends SeedValues,
  Shapes extends Parameters,
> = Flatten<SeedPool<User> & { readonly shapes: ArgumentsOf<Shapes> } & Seeds>;

/**
 * What runs an operation that writes or acts: it takes the pool and answers what `output` tells. What it
 * asks for and what it answers are type parameters of their own, as of `Takes` and `Fits`. Hover: a function.
 */
export type Runs<Pool, Out extends StandardSchema, Many extends boolean, Asked, Answer> =
  & Takes<Asked, Pool>
  & Fits<Answer, ServiceAnswer<Out, Many>>
  & ((pool: Pool) => Expects<Answer, ServiceAnswer<NoInfer<Out>, Many>> | KeepLiterals<Out>);

/** What every operation declares. */
export interface SpecOptions<
  User extends Principal,
  Seeds extends SeedValues,
  Reads extends Parameters,
  Shapes extends Parameters,
  In extends StandardSchema,
  Out extends StandardSchema,
  Given extends SeedValues,
  Shown = never,
  Sought = unknown,
  Gave = never,
> {
  /** Arguments as parameters. Default: none. */
  readonly reads?: Reads;
  /** Arguments that only `present` reads: field selection, expansion. Default: none. */
  readonly shapes?: Shapes;
  /** Arguments as a schema; may stand beside `reads`. Default: none. */
  readonly input?: Describes<In> & In;
  /**
   * What one row looks like on the wire: checks it, strips what is not declared, and is advertised.
   * Default: the value is served as it is.
   */
  readonly output?: Describes<Out> & Out;
  /** Renders a row before `output` checks it. Default: the row as it is. */
  readonly present?:
    & Fits<Shown, InputOf<Out>>
    & ((
      row: InputOf<Out>,
      pool: PresentPool<User, Seeds, Shapes>,
    ) => Expects<Shown, InputOf<NoInfer<Out>>> | KeepLiterals<Out>);
  /** What the fields of `output` are to an agent: labels, handles, hidden. Default: plain content. */
  readonly audience?: AudienceFields;
  /**
   * Who may run it; all must admit. `[unrestricted]` opens it to everyone. Default: the guard that
   * `specsFor` was given, without which the spec cannot be registered.
   */
  readonly permissions?: readonly PermissionCheck<User>[];
  /** Values of the server, each an entry of the pool. Default: none. */
  readonly provide?: Provides<User, Seeds, Given, Sought, Gave>;
  /** Values of the server, merged over what the caller sent before `input` checks it. Default: none. */
  readonly inputData?: Provides<User, Seeds, SeedValues, Sought, Gave>;
  /** Anything; not looked at. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Declares an operation that writes. */
export interface ServiceOptions<
  User extends Principal,
  Seeds extends SeedValues,
  Reads extends Parameters,
  Shapes extends Parameters,
  In extends StandardSchema,
  Out extends StandardSchema,
  Many extends boolean,
  Instance,
  Collection,
  Given extends SeedValues,
  Asked = unknown,
  Answer = never,
  Again = never,
  Shown = never,
  Sought = unknown,
  Gave = never,
> extends SpecOptions<User, Seeds, Reads, Shapes, In, Out, Given, Shown, Sought, Gave> {
  /** Runs it. */
  readonly run: Runs<
    RunPool<User, Seeds, ServiceArguments<Reads, In, Many>, Instance, Collection, Given>,
    Out,
    Many,
    Asked,
    Answer
  >;
  /** Takes a list of `input` under one argument; one bad item and nothing runs. Default `false`. */
  readonly many?: Many;
  /** The argument that holds the list. Default `"items"`. */
  readonly manyArgument?: string;
  /** The most items of the list. Default 1000. */
  readonly maxItems?: number;
  /** Finds the row that is written; its `reads` become arguments. Default: none. */
  readonly instance?: SelectorSpec<User, Seeds, "retrieve", unknown, Instance>;
  /** Finds the rows that are written; not beside `instance`. Default: none. */
  readonly collection?: SelectorSpec<User, Seeds, "list", unknown, Collection>;
  /** Reads the result again after the run, in the same words as `output`. Default: it is served. */
  readonly reread?:
    & Fits<Again, ServiceAnswer<Out, Many> | null>
    & ((
      pool: Flatten<SeedPool<User> & { readonly result: ServiceAnswer<Out, Many> } & Seeds>,
    ) => Expects<Again, ServiceAnswer<NoInfer<Out>, Many> | null> | KeepLiterals<Out>);
  /** Runs inline before `run`, and before a task is created: the place to ask. Default: nothing. */
  readonly prepare?: (
    pool: RunPool<User, Seeds, ServiceArguments<Reads, In, Many>, Instance, Collection, Given>,
  ) => Awaitable<void>;
  /** Checks of the domain: what throws ends the call. Default: none. */
  readonly preconditions?: readonly ((
    pool: RunPool<User, Seeds, ServiceArguments<Reads, In, Many>, Instance, Collection, Given>,
  ) => Awaitable<void>)[];
  /** When the operation is possible. Default: always. */
  readonly affordances?: readonly Affordance<User, Seeds, Instance>[];
  /** Runs inside the server's transaction. Default `true`. */
  readonly atomic?: boolean;
  /** Whether the same call twice does no more than once. Default: not said. */
  readonly idempotent?: boolean;
  /** Whether the service may answer nothing. Default `false`. */
  readonly allowNone?: boolean;
  /** What it does to rows; a write that says so may be answered lean. Default: it computes. */
  readonly action?: "create" | "update" | "delete";
  /**
   * What a lean answer holds of the row beside its id, url and name: these fields, or with `"assigned"`
   * every short one that the caller did not send. Default: nothing more.
   */
  readonly leanKeys?: readonly string[] | "assigned";
  /** The author's words for the result, in place of its JSON text. Default: the JSON text. */
  readonly text?: (
    value: Many extends true ? readonly OutputOf<Out>[] : OutputOf<Out>,
  ) => string;
}

/** Declares an operation that reads. */
export interface SelectorOptions<
  User extends Principal,
  Seeds extends SeedValues,
  Kind extends "list" | "retrieve",
  Reads extends Parameters,
  Shapes extends Parameters,
  In extends StandardSchema,
  Out extends StandardSchema,
  Filters extends Parameters,
  Given extends SeedValues,
  Asked = unknown,
  Answer = never,
  Extended = never,
  Shown = never,
  Sought = unknown,
  Gave = never,
> extends SpecOptions<User, Seeds, Reads, Shapes, In, Out, Given, Shown, Sought, Gave> {
  /** One row, or many. */
  readonly kind: Kind;
  /** Runs it. A `retrieve` that answers null or undefined found nothing. */
  readonly select:
    & Takes<Asked, RunPool<User, Seeds, Arguments<Reads & Filters, In>, NoTarget, NoTarget, Given>>
    & Fits<Answer, SelectorAnswer<Kind, InputOf<Out>>>
    & ((
      pool: RunPool<User, Seeds, Arguments<Reads & Filters, In>, NoTarget, NoTarget, Given>,
    ) => Expects<Answer, SelectorAnswer<Kind, InputOf<NoInfer<Out>>>> | KeepLiterals<Out>);
  /** Further arguments of a list, for `extend`. Default: none. */
  readonly filters?: Filters;
  /** Narrows, orders or enriches what `select` answered, before paging. Default: nothing. */
  readonly extend?:
    & Fits<Extended, Rows<InputOf<Out>>>
    & ((
      rows: Rows<InputOf<Out>>,
      pool: Flatten<SeedPool<User> & { readonly filters: ArgumentsOf<Filters> } & Seeds>,
    ) => Expects<Extended, Rows<InputOf<NoInfer<Out>>>> | KeepLiterals<Out>);
  /** Checks of the domain, before the read. Default: none. */
  readonly preconditions?: readonly ((
    pool: RunPool<User, Seeds, Arguments<Reads & Filters, In>, NoTarget, NoTarget, Given>,
  ) => Awaitable<void>)[];
  /** Says on every row which of these writes are possible; refuses nothing. Default: none. */
  readonly affordances?: Readonly<Record<string, ServiceSpec<User, Seeds>>>;
  /** Whether a missing row is nothing rather than `not_found`; `retrieve` only. Default `false`. */
  readonly allowNone?: boolean;
  /** The author's words for the result, in place of its JSON text. Default: the JSON text. */
  readonly text?: (
    value: Kind extends "list" ? readonly OutputOf<Out>[] : OutputOf<Out>,
  ) => string;
}
