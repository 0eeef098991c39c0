import { checkDeclaration } from "./check_declaration.ts";
import type {
  Parameter,
  ParameterFormat,
  Parameters,
  ParameterType,
  ValueOf,
} from "./parameter.ts";
import type { ArgumentsOf } from "./parameter.ts";

export type {
  ArgumentsOf,
  Flatten,
  Parameter,
  ParameterFormat,
  Parameters,
  ParameterType,
  RequiredKeys,
  ValueOf,
} from "./parameter.ts";

/** Options that every `param.*` takes. */
export interface ParamOptions {
  /** Whether the caller must send it. Default `false`. */
  readonly required?: boolean;
  /** Whether `null` is a value. Default `false`. */
  readonly nullable?: boolean;
  /** The property's description. Default none. */
  readonly help?: string;
}

/** Options of a string, integer or boolean, which a header can mirror. */
export interface MirroredOptions extends ParamOptions {
  /** Mirrors the argument into the header `Mcp-Param-…` of this name. Default none. */
  readonly header?: string;
}

/** Options of `param.string`. */
export interface StringOptions extends MirroredOptions {
  /** The closed list of values. Default any. */
  readonly choices?: readonly string[];
  /** The checked format; a decimal also takes numbers and stays a string. Default none. */
  readonly format?: ParameterFormat;
  /** The value of an argument that is left out. Default none. */
  readonly default?: string | null;
}

/** Options of `param.integer`. */
export interface IntegerOptions extends MirroredOptions {
  /** The closed list of values. Default any. */
  readonly choices?: readonly number[];
  /** The value of an argument that is left out. Default none. */
  readonly default?: number | null;
}

/** Options of `param.number`. */
export interface NumberOptions extends ParamOptions {
  /** The closed list of values. Default any. */
  readonly choices?: readonly number[];
  /** The value of an argument that is left out. Default none. */
  readonly default?: number | null;
}

/** Options of `param.boolean`. */
export interface BooleanOptions extends MirroredOptions {
  /** The value of an argument that is left out. Default none. */
  readonly default?: boolean | null;
}

/** Options of `param.array`. */
export interface ArrayOptions extends ParamOptions {
  /** Whether an element may be `null`. Default `false`. */
  readonly itemsNullable?: boolean;
  /** The value of an argument that is left out. Default none. */
  readonly default?: readonly unknown[] | null;
}

/** Options of `param.object`. */
export interface ObjectOptions extends ParamOptions {
  /** The named fields. Default: anything is accepted inside. */
  readonly fields?: Parameters;
  /** The value of an argument that is left out. Default none. */
  readonly default?: Readonly<Record<string, unknown>> | null;
}

/** No options. */
export type NoOptions = Readonly<Record<never, never>>;

/** Whether a callable always finds the argument. Hover: `true` or `false`. */
export type IsPresent<O> = O extends { readonly required: true } ? true
  : O extends { readonly default: unknown } ? true
  : false;

/** Hover: `T` or `T | null`. */
export type Nullable<O, T> = O extends { readonly nullable: true } ? T | null : T;

/** Hover: `T`, or the union of the choices. */
export type Chosen<O, T> = O extends { readonly choices: readonly (infer C extends T)[] } ? C : T;

/** One element of a list. Hover: its plain type. */
export type ItemOf<I, O> = O extends { readonly itemsNullable: true } ? ElementOf<I> | null
  : ElementOf<I>;

/** One element as declared. Hover: its plain type. */
export type ElementOf<I> = [I] extends [never] ? unknown
  : I extends Parameter ? ValueOf<I>
  : I extends Parameters ? ArgumentsOf<I>
  : unknown;

/** The fields of an object. Hover: their plain types. */
export type FieldsOf<O> = O extends { readonly fields: infer F extends Parameters } ? ArgumentsOf<F>
  : Readonly<Record<string, unknown>>;

/** The builders of parameters. Each throws a `ConfigurationError` that names a wrong option. */
export interface ParamBuilders {
  /** A string. */
  string<const O extends StringOptions = NoOptions>(
    options?: O,
  ): Parameter<Nullable<O, Chosen<O, string>>, IsPresent<O>>;
  /** An integer that a JavaScript number holds exactly. */
  integer<const O extends IntegerOptions = NoOptions>(
    options?: O,
  ): Parameter<Nullable<O, Chosen<O, number>>, IsPresent<O>>;
  /** A finite number. */
  number<const O extends NumberOptions = NoOptions>(
    options?: O,
  ): Parameter<Nullable<O, Chosen<O, number>>, IsPresent<O>>;
  /** A boolean. */
  boolean<const O extends BooleanOptions = NoOptions>(
    options?: O,
  ): Parameter<Nullable<O, boolean>, IsPresent<O>>;
  /** A list of one kind of element, of rows of named fields, or of anything. */
  array<I extends Parameter | Parameters = never, const O extends ArrayOptions = NoOptions>(
    items?: I,
    options?: O,
  ): Parameter<Nullable<O, readonly ItemOf<I, O>[]>, IsPresent<O>>;
  /** An object of named fields, or of anything. */
  object<const O extends ObjectOptions = NoOptions>(
    options?: O,
  ): Parameter<Nullable<O, FieldsOf<O>>, IsPresent<O>>;
}

/**
 * Declares the arguments of an operation.
 *
 * A text is read as the declared type, so `"8"` for an integer arrives as 8; a default stands in
 * for an argument that is left out; `choices` narrow the type.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const reads = {
 *   id: param.integer({ required: true }),
 *   status: param.string({ choices: ["open", "paid"], default: "open", help: "Only these." }),
 *   rows: param.array({ amount: param.number({ required: true }) }),
 * };
 * assertEquals(reads.status.default, "open");
 * ```
 */
export const param: ParamBuilders = {
  string: (options) => build("string", options),
  integer: (options) => build("integer", options),
  number: (options) => build("number", options),
  boolean: (options) => build("boolean", options),
  array: (items, options) => build("array", { ...options, ...items && { items } }),
  object: (options) => build("object", options),
};

// The static types live in ParamBuilders alone; at run time a declaration is its options.
function build(type: ParameterType, options: object = {}): Parameter<never, never> {
  const parameter: Parameter = { required: false, nullable: false, ...options, type };
  checkDeclaration(parameter);
  return freeze(parameter) as Parameter<never, never>;
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const copy = Array.isArray(value)
    ? value.map(freeze)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, freeze(one)]));
  return Object.freeze(copy) as T;
}
