/** The wire types a parameter can have. */
export type ParameterType = "string" | "integer" | "number" | "boolean" | "array" | "object";

/** The formats that a text parameter can be checked for. */
export type ParameterFormat = "date" | "date-time" | "decimal";

/**
 * One declared argument, as `param.*` builds it: a frozen plain object.
 *
 * `T` is the type a callable sees, `Required` says whether the callable always finds it: the caller
 * must send it, or a default stands in.
 */
export interface Parameter<T = unknown, Required extends boolean = boolean> {
  /** Wire type. */
  readonly type: ParameterType;
  /** Whether the caller must send it. */
  readonly required: boolean;
  /** Whether `null` is a value. */
  readonly nullable: boolean;
  /** The property's description. */
  readonly help?: string;
  /** The name after `Mcp-Param-` of the header that mirrors the argument. */
  readonly header?: string;
  /** The closed list of values. */
  readonly choices?: readonly (string | number)[];
  /** The checked format of a string. */
  readonly format?: ParameterFormat;
  /** The value of an argument that is left out. */
  readonly default?: unknown;
  /** What a list holds: one kind of element, or rows of named fields. Absent means anything. */
  readonly items?: Parameter | Parameters;
  /** Whether an element of a list may be `null`. */
  readonly itemsNullable?: boolean;
  /** The named fields of an object. Absent means anything. */
  readonly fields?: Parameters;
  /** Carries the static type; never present at run time. */
  readonly "~value"?: T;
  /** Carries whether a callable always finds it; never present at run time. */
  readonly "~present"?: Required;
}

/** Named parameters, in the order they are advertised. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The static type of one parameter. Hover: `"open" | "paid"`. */
export type ValueOf<P> = P extends Parameter<infer T, boolean> ? T : never;

/** The names a callable always finds. Hover: `"id" | "status"`. */
export type RequiredKeys<P> = {
  [K in keyof P]: P[K] extends Parameter<unknown, true> ? K : never;
}[keyof P];

/** One plain object instead of an intersection. Hover: its members. */
export type Flatten<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;

/**
 * What a callable receives for the parameters `P`.
 * Hover: `{ readonly id: number; readonly status?: "open" | "paid" | undefined }`.
 */
export type ArgumentsOf<P> = Flatten<
  & { readonly [K in RequiredKeys<P>]: ValueOf<P[K]> }
  & { readonly [K in Exclude<keyof P, RequiredKeys<P>>]?: ValueOf<P[K]> | undefined }
>;

/**
 * Tells one kind of element from rows of named fields, whose members are all objects.
 *
 * @param items What a list was declared to hold.
 * @returns Whether it is a single parameter.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { isParameter } from "./parameter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(isParameter(param.string()), true);
 * assertEquals(isParameter({ type: param.string() }), false);
 * ```
 */
export function isParameter(items: Parameter | Parameters): items is Parameter {
  return typeof items.type === "string";
}

/**
 * Tells parameters from an object that `__proto__` got into: as a key it names nothing, and in a
 * literal it sets the prototype.
 *
 * @param parameters What was declared.
 * @returns Whether every name in it is a declaration.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { isPlain } from "./parameter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(isPlain({ id: param.string() }), true);
 * ```
 */
export function isPlain(parameters: Parameters): boolean {
  const prototype = Object.getPrototypeOf(parameters) ?? Object.prototype;
  return prototype === Object.prototype && !Object.hasOwn(parameters, "__proto__");
}
