import { findForbiddenKey } from "./find_forbidden_key.ts";
import { isParameter, type Parameter, type Parameters } from "./parameter.ts";
import type { Problems } from "./problems.ts";
import { compileScalar, Complaint } from "./read_scalar.ts";

/** How values are read. */
export interface ReadingOptions {
  /** Whether an undeclared field of a declared object or row is a problem or is dropped. */
  readonly unknownArguments: "reject" | "ignore";
  /** Whether the source is a URI: single values are wrapped into lists. Default `false`. */
  readonly flat?: boolean;
}

/**
 * Reads one value, which is `at[key]`: answers what to hand on, or adds problems. The path to it is
 * joined only for what lies deeper, and for a problem.
 */
export type Reader = (
  value: unknown,
  problems: Problems,
  at: readonly PropertyKey[],
  key: PropertyKey,
) => unknown;

/**
 * Compiles the reader of one parameter, with everything declared below it.
 *
 * @param parameter The declaration.
 * @param options How values are read.
 * @returns A reader that never throws and recurses over what is declared only.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { Problems } from "./problems.ts";
 * import { compileReader } from "./read_parameter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const read = compileReader(param.array(param.integer()), { unknownArguments: "reject" });
 * assertEquals(read(["1", 2.0], new Problems(), [], "ids"), [1, 2]);
 * ```
 */
export function compileReader(parameter: Parameter, options: ReadingOptions): Reader {
  const read = compileType(parameter, options);
  const { nullable } = parameter;
  return (value, problems, at, key) => {
    if (value !== null) return read(value, problems, at, key);
    if (!nullable) problems.add([...at, key], "This field cannot be null.");
    return null;
  };
}

function compileType(parameter: Parameter, options: ReadingOptions): Reader {
  switch (parameter.type) {
    case "array":
      return compileArray(parameter, options);
    case "object":
      return parameter.fields === undefined
        ? flatless(readAnyObject, options)
        : flatless(compileFields(parameter.fields, options), options);
    default: {
      const read = compileScalar(parameter);
      return (value, problems, at, key) => {
        const reading = read(value);
        if (!(reading instanceof Complaint)) return reading;
        problems.add([...at, key], reading.message);
        return undefined;
      };
    }
  }
}

function compileArray({ items, itemsNullable }: Parameter, options: ReadingOptions): Reader {
  const element = compileElement(items, itemsNullable ?? false, options);
  return (value, problems, at, key) => {
    const list = options.flat && !Array.isArray(value) ? [value] : value;
    const here = [...at, key];
    if (Array.isArray(list)) return list.map((one, i) => element(one, problems, here, i));
    problems.add(here, "Expected an array.");
    return undefined;
  };
}

function compileElement(
  items: Parameter | Parameters | undefined,
  nullable: boolean,
  options: ReadingOptions,
): Reader {
  if (items === undefined) return readAnything;
  if (isParameter(items)) {
    return compileReader({ ...items, nullable: nullable || items.nullable }, options);
  }
  const row = { type: "object", fields: items, required: false, nullable } as const;
  const read = compileReader(row, options);
  // What is said of the row as a whole has a place of its own beside its fields (K-16).
  return (value, problems, at, key) =>
    isRecord(value)
      ? read(value, problems, at, key)
      : read(value, problems, [...at, key], "non_field_errors");
}

function compileFields(fields: Parameters, options: ReadingOptions): Reader {
  const read = compileMembers(fields, options);
  const known = options.unknownArguments === "reject" ? new Set(Object.keys(fields)) : undefined;
  return (value, problems, at, key) => {
    const here = [...at, key];
    if (!isRecord(value)) {
      problems.add(here, "Expected an object.");
      return undefined;
    }
    if (known !== undefined) {
      for (const name of Object.keys(value)) {
        if (!known.has(name)) problems.add([...here, name], "Unknown argument.");
      }
    }
    return read(value, problems, here);
  };
}

/**
 * Compiles the reader of declared names; it looks at nothing else.
 *
 * @param parameters The declarations.
 * @param options How values are read.
 * @returns A reader that answers a new object of what is there, defaults included.
 *
 * @example
 * ```ts
 * import { param } from "./param.ts";
 * import { Problems } from "./problems.ts";
 * import { compileMembers } from "./read_parameter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const read = compileMembers({ id: param.integer() }, { unknownArguments: "ignore" });
 * assertEquals(read({ id: 8, note: "x" }, new Problems(), []), { id: 8 });
 * ```
 */
export function compileMembers(
  parameters: Parameters,
  options: ReadingOptions,
): (
  source: Readonly<Record<string, unknown>>,
  problems: Problems,
  at: readonly PropertyKey[],
) => Record<string, unknown> {
  const members = Object.entries(parameters).map(([name, parameter]) => ({
    name,
    read: compileReader(parameter, options),
    isRequired: parameter.required,
    fallback: parameter.default,
  }));
  return (source, problems, at) => {
    const result: Record<string, unknown> = {};
    for (const { name, read, isRequired, fallback } of members) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined;
      if (value !== undefined) {
        result[name] = read(value, problems, at, name);
      } else if (fallback !== undefined) {
        result[name] = fallback;
      } else if (isRequired) {
        if (at.length === 0) problems.addMissing(name);
        else problems.add([...at, name], "This field is required.");
      }
    }
    return result;
  };
}

function flatless(read: Reader, { flat }: ReadingOptions): Reader {
  if (!flat) return read;
  return (value, problems, at, key) => {
    if (typeof value !== "string") return read(value, problems, at, key);
    problems.add([...at, key], "An object cannot be sent in a URI.");
    return undefined;
  };
}

const readAnyObject: Reader = (value, problems, at, key) => {
  if (isRecord(value)) return readAnything(value, problems, at, key);
  problems.add([...at, key], "Expected an object.");
  return undefined;
};

const readAnything: Reader = (value, problems, at, key) => {
  const forbidden = findForbiddenKey(value);
  if (forbidden !== undefined) problems.add([...at, key, ...forbidden], "Unknown argument.");
  return value;
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
