import { isThenable } from "../../ports/awaitable.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Log } from "../../ports/log_event.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { compileParameters } from "../../schema/check_arguments.ts";
import { jsonSchema } from "../../schema/json_schema.ts";
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
 * @param input Its `input` as JSON Schema; empty where it has none.
 * @throws {ConfigurationError} when a name is not declared, a value is not of its type, or a name is
 * withheld that the operation cannot do without.
 */
export function bindArguments(
  { values = {}, withheld = [] }: ServerArguments,
  parameters: Parameters,
  input: JsonObject,
  where: string,
): BoundArguments {
  const names = [...Object.keys(values), ...withheld];
  const members = isJsonObject(input.properties) ? input.properties : {};
  for (const name of names) {
    if (!Object.hasOwn(parameters, name) && !Object.hasOwn(members, name)) {
      throw invalid(where, `names "${name}", which the spec does not declare`);
    }
  }
  const both = withheld.find((name) => Object.hasOwn(values, name));
  if (both !== undefined) throw invalid(where, `fills and withholds "${both}"`);
  for (const name of withheld) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const isNeeded = parameter === undefined
      ? Array.isArray(input.required) && input.required.includes(name)
      : parameter.required && parameter.default === undefined;
    if (isNeeded) {
      throw invalid(where, `withholds "${name}", which the spec requires`);
    }
  }
  const filled = Object.entries(parameters).filter(([name]) => Object.hasOwn(values, name));
  const problems = new Problems();
  compileParameters(Object.fromEntries(filled), { unknownArguments: "reject", where })(
    values,
    problems,
  );
  const refused = Object.keys(problems.toTree())[0] ??
    Object.keys(members).find((name) =>
      Object.hasOwn(values, name) && !fits(values[name], members[name], input)
    );
  if (refused !== undefined) {
    throw invalid(where, `fills "${refused}" with a value that the spec refuses`);
  }
  return { names: new Set(names), values: Object.freeze({ ...values }) };
}

function fits(value: unknown, member: unknown, { $defs }: JsonObject): boolean {
  if (!isJsonObject(member)) return member !== false;
  const schema = jsonSchema($defs === undefined ? member : { ...member, $defs });
  const result = schema["~standard"].validate(value);
  return !isThenable(result) && result.issues === undefined;
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
