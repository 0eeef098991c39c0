import type { Awaitable } from "../ports/awaitable.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import type { Principal } from "../ports/principal.ts";
import type { ArgumentsOf, Flatten, Parameters } from "../schema/parameter.ts";
import type { InputOf, OutputOf, Schema } from "../schema/standard_schema.ts";
import type { PermissionCheck } from "./permission_check.ts";
import type { Pool } from "./pool.ts";

/** No arguments. */
export type NoInput = Schema<Readonly<Record<never, never>>>;
/** No declared output: the value is served as it is. */
export type AnyOutput = Schema<unknown>;
/** No parameters. */
export type NoParameters = Readonly<Record<never, never>>;

/** What an operation is: a write, a read of many rows, or a read of one. */
export type SpecKind = "service" | "list" | "retrieve";

/**
 * One declared operation: a frozen plain object that says what it takes, who may run it and how its
 * result is presented. Knows nothing of any transport.
 */
export interface Spec<
  User extends Principal = never,
  Kind extends SpecKind = SpecKind,
  Args = unknown,
  Row = unknown,
> {
  /** What the operation is. */
  readonly kind: Kind;
  /** Carries the type of the users who may call it; never present at run time. */
  readonly "~user"?: (user: User) => void;
  /** Carries the types of its arguments and rows; never present at run time. */
  readonly "~io"?: { readonly args: Args; readonly row: Row };
}

/** A spec that writes. */
export type ServiceSpec<User extends Principal = never, Args = unknown, Row = unknown> = Spec<
  User,
  "service",
  Args,
  Row
>;

/** A spec that reads. */
export type SelectorSpec<
  User extends Principal = never,
  Kind extends "list" | "retrieve" = "list" | "retrieve",
  Args = unknown,
  Row = unknown,
> = Spec<User, Kind, Args, Row>;

/** What every operation declares. */
export interface SpecOptions<
  User extends Principal,
  Reads extends Parameters,
  In extends Schema,
  Out extends Schema,
> {
  /** Arguments as parameters. Default: none. */
  readonly reads?: Reads;
  /** Arguments as a schema; may stand beside `reads`. Default: none. */
  readonly input?: In;
  /**
   * What one row looks like on the wire: checks it, strips what is not declared, and is advertised.
   * Default: the value is served as it is.
   */
  readonly output?: Out;
  /** Who may run it; all must admit. `[unrestricted]` opens it to everyone. */
  readonly permissions: readonly PermissionCheck<User>[];
  /** Whether the same call twice does no more than once. Default: not said. */
  readonly idempotent?: boolean;
}

/** What a callable receives as `args`. */
export type Arguments<Reads extends Parameters, In extends Schema> = Flatten<
  ArgumentsOf<Reads> & OutputOf<In>
>;

/** Declares an operation that writes. */
export interface ServiceOptions<
  User extends Principal,
  Reads extends Parameters,
  In extends Schema,
  Out extends Schema,
> extends SpecOptions<User, Reads, In, Out> {
  /** The author's words for the result, in place of its JSON text. Default: the JSON text. */
  readonly text?: (value: OutputOf<Out>) => string;
  /** Runs it. */
  readonly run: (pool: Pool<User, Arguments<Reads, In>>) => Awaitable<InputOf<Out>>;
}

/** Many rows. */
export type Rows<Row> = readonly Row[] | Iterable<Row> | AsyncIterable<Row>;

/** Declares an operation that reads. */
export interface SelectorOptions<
  User extends Principal,
  Kind extends "list" | "retrieve",
  Reads extends Parameters,
  In extends Schema,
  Out extends Schema,
> extends SpecOptions<User, Reads, In, Out> {
  /** One row, or many. */
  readonly kind: Kind;
  /** The author's words for the result, in place of its JSON text. Default: the JSON text. */
  readonly text?: (
    value: Kind extends "list" ? readonly OutputOf<Out>[] : OutputOf<Out>,
  ) => string;
  /** Runs it. A `retrieve` that answers null or undefined found nothing. */
  readonly select: (
    pool: Pool<User, Arguments<Reads, In>>,
  ) => Awaitable<Kind extends "list" ? Rows<InputOf<Out>> : InputOf<Out> | null | undefined>;
}

/** `serviceSpec` and `selectorSpec` for one type of user. */
export interface SpecBuilders<User extends Principal> {
  /** Declares an operation that writes. */
  readonly serviceSpec: <
    Reads extends Parameters = NoParameters,
    In extends Schema = NoInput,
    Out extends Schema = AnyOutput,
  >(
    options: ServiceOptions<User, Reads, In, Out>,
  ) => ServiceSpec<User, Flatten<ArgumentsOf<Reads> & InputOf<In>>, InputOf<Out>>;
  /** Declares an operation that reads. */
  readonly selectorSpec: <
    const Kind extends "list" | "retrieve",
    Reads extends Parameters = NoParameters,
    In extends Schema = NoInput,
    Out extends Schema = AnyOutput,
  >(
    options: SelectorOptions<User, Kind, Reads, In, Out>,
  ) => SelectorSpec<User, Kind, Flatten<ArgumentsOf<Reads> & InputOf<In>>, InputOf<Out>>;
}

/** A spec as the kernel runs it: the fields, without their static types. */
export interface SpecFields {
  readonly kind: SpecKind;
  readonly reads: Parameters;
  readonly input: Schema | undefined;
  readonly output: Schema | undefined;
  readonly text: ((value: unknown) => string) | undefined;
  readonly permissions: readonly PermissionCheck[];
  readonly idempotent: boolean | undefined;
  readonly callable: (pool: Pool) => unknown;
}

const SHARED_FIELDS = ["reads", "input", "output", "text", "permissions", "idempotent"] as const;
const FIELDS = Symbol("fields");

/**
 * The fields of a spec.
 *
 * @throws {ConfigurationError} when the value was not made by `serviceSpec` or `selectorSpec`.
 */
export function specFields(spec: unknown, where: string): SpecFields {
  const fields = typeof spec === "object" && spec !== null
    ? (spec as { readonly [FIELDS]?: SpecFields })[FIELDS]
    : undefined;
  if (fields === undefined) {
    throw new ConfigurationError(
      `Cannot register ${where}: expected a spec made by serviceSpec() or selectorSpec()`,
    );
  }
  return fields;
}

function buildSpec(kind: SpecKind, options: Readonly<Record<string, unknown>>): Spec {
  const callableName = kind === "service" ? "run" : "select";
  const known: readonly string[] = [...SHARED_FIELDS, callableName, "kind"];
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw invalid(kind, key, "is not a field of a spec");
  }
  const { permissions, reads = {}, text } = options;
  const callable = options[callableName];
  if (typeof callable !== "function") throw invalid(kind, callableName, "must be a function");
  if (text !== undefined && typeof text !== "function") {
    throw invalid(kind, "text", "must be a function");
  }
  if (!Array.isArray(permissions) || permissions.length === 0) {
    throw invalid(kind, "permissions", "must list at least one check; [unrestricted] opens it");
  }
  for (const check of permissions) {
    if (typeof check?.hasPermission !== "function") {
      throw invalid(kind, "permissions", "must hold objects with a hasPermission function");
    }
  }
  for (const side of ["input", "output"] as const) {
    const schema = options[side];
    if (schema !== undefined && !isSchema(schema)) {
      throw invalid(kind, side, "must be a Standard Schema, or jsonSchema({ … })");
    }
  }
  const fields = {
    kind,
    reads,
    input: options.input,
    output: options.output,
    text,
    permissions: Object.freeze([...permissions]),
    idempotent: options.idempotent,
    callable,
  } as SpecFields;
  const spec: Spec = { ...options, kind };
  Object.defineProperty(spec, FIELDS, { value: Object.freeze(fields) });
  return Object.freeze(spec);
}

function isSchema(value: unknown): boolean {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    "~standard" in value;
}

function invalid(kind: SpecKind, field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot build a ${kind} spec: ${field} ${problem}`);
}

const builders: SpecBuilders<Principal> = {
  serviceSpec: (options) => buildSpec("service", { ...options }) as never,
  selectorSpec: (options) => {
    const { kind } = options;
    if (kind !== "list" && kind !== "retrieve") {
      throw new ConfigurationError(
        'Cannot build a selector spec: kind must be "list" or "retrieve"',
      );
    }
    return buildSpec(kind, { ...options }) as never;
  },
};

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
export const serviceSpec: SpecBuilders<Principal>["serviceSpec"] = builders.serviceSpec;

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
export const selectorSpec: SpecBuilders<Principal>["selectorSpec"] = builders.selectorSpec;
