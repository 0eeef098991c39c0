import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Log } from "../../ports/log_event.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { compileParameters } from "../../schema/check_arguments.ts";
import { Problems } from "../../schema/problems.ts";
import type { ServerArguments } from "./tool_options.ts";

/** Arguments of a binding that are not the caller's, ready to apply. */
export interface BoundArguments {
  /** Every name, filled or withheld. */
  readonly names: ReadonlySet<string>;
  /** The values that are used. */
  readonly values: JsonObject;
}

/**
 * Checks server arguments against what the spec declares (K-43).
 *
 * @param parameters What the spec declares by parameters.
 * @param members The names that its `input` schema declares.
 * @throws {ConfigurationError} when a name is not declared, a value is not of its type, or a name is
 * withheld that the operation cannot do without.
 */
export function bindArguments(
  { values = {}, withheld = [] }: ServerArguments,
  parameters: Parameters,
  members: ReadonlySet<string>,
  where: string,
): BoundArguments {
  const names = [...Object.keys(values), ...withheld];
  for (const name of names) {
    if (!Object.hasOwn(parameters, name) && !members.has(name)) {
      throw invalid(where, `names "${name}", which the spec does not declare`);
    }
  }
  const both = withheld.find((name) => Object.hasOwn(values, name));
  if (both !== undefined) throw invalid(where, `fills and withholds "${both}"`);
  for (const name of withheld) {
    const parameter = parameters[name];
    if (parameter?.required === true && parameter.default === undefined) {
      throw invalid(where, `withholds "${name}", which the spec requires`);
    }
  }
  const filled = Object.entries(parameters).filter(([name]) => Object.hasOwn(values, name));
  const problems = new Problems();
  compileParameters(Object.fromEntries(filled), { unknownArguments: "reject", where })(
    values,
    problems,
  );
  if (problems.size > 0) {
    const [name] = Object.keys(problems.toTree());
    throw invalid(where, `fills "${name}" with a value that the spec refuses`);
  }
  return { names: new Set(names), values: Object.freeze({ ...values }) };
}

/**
 * Takes away what a caller sent under the server's names, and says so in the log: names, never values
 * (K-42).
 */
export function dropServerArguments(
  { names, values }: BoundArguments,
  args: JsonObject,
  tool: string,
  log: Log,
): JsonObject {
  const sent = Object.keys(args).filter((name) => names.has(name));
  if (sent.length === 0) return args;
  const dropped = sent.filter((name) =>
    !Object.hasOwn(values, name) || JSON.stringify(values[name]) !== JSON.stringify(args[name])
  );
  if (dropped.length > 0) {
    log({
      level: "warning",
      event: "server_argument.dropped",
      message: "A caller sent arguments that are the server's",
      fields: { tool, arguments: dropped },
    });
  }
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name)));
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: serverArguments ${problem}`);
}
