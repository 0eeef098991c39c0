import { ConfigurationError } from "../ports/configuration_error.ts";
import { isPlain, type Parameters } from "./parameter.ts";
import type { Problems } from "./problems.ts";
import { compileMembers } from "./read_parameter.ts";

/**
 * Checks the arguments of a call: answers a new object of the declared arguments, coerced and with
 * defaults in place, and adds every problem it meets. It never throws.
 */
export type ArgumentCheck = (
  source: Readonly<Record<string, unknown>>,
  problems: Problems,
) => Record<string, unknown>;

/** How arguments are checked. */
export interface CheckOptions {
  /** Whether an undeclared field of a declared object or row is a problem or is dropped. */
  readonly unknownArguments: "reject" | "ignore";
  /** Whether the source is a URI: single values are wrapped into lists. Default `false`. */
  readonly flat?: boolean;
  /** Whose arguments they are, for a `ConfigurationError`: `tool "a"`. */
  readonly where: string;
}

/**
 * Compiles the check of declared arguments. It reads the declared names and nothing else: other
 * top-level names are the business of `compileUnknownCheck()`.
 *
 * @param parameters The declarations.
 * @param options How arguments are checked.
 * @returns The check.
 * @throws {ConfigurationError} when a parameter is called `__proto__`; `param.*` looks below.
 *
 * @example
 * ```ts
 * import { compileParameters } from "./check_arguments.ts";
 * import { param } from "./param.ts";
 * import { Problems } from "./problems.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const check = compileParameters(
 *   { id: param.integer({ required: true }), limit: param.integer({ default: 10 }) },
 *   { unknownArguments: "reject", where: 'tool "read"' },
 * );
 * assertEquals(check({ id: "8" }, new Problems()), { id: 8, limit: 10 });
 * ```
 */
export function compileParameters(parameters: Parameters, options: CheckOptions): ArgumentCheck {
  if (!isPlain(parameters)) {
    throw new ConfigurationError(
      `Cannot declare the parameters of ${options.where}: "__proto__" is no name`,
    );
  }
  const read = compileMembers(parameters, options);
  return (source, problems) => read(source, problems, ROOT);
}

const ROOT: readonly PropertyKey[] = [];
