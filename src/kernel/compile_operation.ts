import { ConfigurationError } from "../ports/configuration_error.ts";
import { compileParameters } from "../schema/check_arguments.ts";
import { describeArguments, type JsonSchema } from "../schema/convert_schema.ts";
import { param } from "../schema/param.ts";
import type { Parameters } from "../schema/parameter.ts";
import { compileUnknownCheck } from "../schema/unknown_arguments.ts";
import { usesPatterns } from "../schema/uses_patterns.ts";
import { type SpecFields, specFields } from "./spec_fields.ts";
import { describeInputOf, describeOutputOf } from "./describe_operation.ts";
import type { ManyCheck, Operation, TransactionRunner } from "./operation.ts";
import { RESERVED_NAMES } from "./pool.ts";
import { noSeeds, type PoolSeeds } from "./pool_seeds.ts";
import { reachOf } from "./provider.ts";
import { compileStages } from "./stages.ts";

/** How an operation is bound to a transport. */
export interface OperationOptions {
  /** For errors: `tool "a"`. */
  readonly where: string;
  /** What happens to arguments nobody declared. */
  readonly unknownArguments: "reject" | "ignore";
  /** Whether refusals may repeat what the caller sent. */
  readonly includeValidationValue: boolean;
  /** Whether every argument arrives as text, as the variables of a URI do. Default `false`. */
  readonly flat?: boolean;
  /** The seeds of the server. Default: none. */
  readonly seeds?: PoolSeeds | undefined;
  /** Names that the transport fills or withholds. Default: none. */
  readonly serverArguments?: ReadonlySet<string>;
  /** The most rows of a page, where the list is paged; `null` is no bound. Default: not paged. */
  readonly maxPageSize?: number | null | undefined;
  /** Arguments of the transport: advertised beside the spec's, for no callable. Default: none. */
  readonly extras?: Parameters | undefined;
  /** Whether a spec without checks may be served (K-57). Default `false`. */
  readonly allowsUnguarded?: boolean;
  /** Runs atomic services. Default: no transactions. */
  readonly transaction?: TransactionRunner | undefined;
  /** Turns a library's exception into a refusal of the domain. Default: none is. */
  readonly translateError?: Operation["translateError"];
  /** Description of a handle field that has none. Default: none. */
  readonly handleDescription?: string | undefined;
}

/**
 * Compiles a spec once, at registration.
 *
 * @throws {ConfigurationError} when the declaration cannot be served, naming `where` and the place.
 */
export function compileOperation(spec: unknown, options: OperationOptions): Operation {
  const { where, unknownArguments, seeds = noSeeds, maxPageSize, extras = {} } = options;
  const fields = specFields(spec, where);
  checkGuard(fields, options);
  const parameters = gatherParameters(fields, where);
  const owned = checkNames(fields, parameters, seeds, where);
  const reach = reachOf([fields.provide, fields.inputData]);
  const isClosed = unknownArguments === "reject";
  const omit = new Set([...reach.owned, ...options.serverArguments ?? []]);
  const optional = new Set(reach.reachesAll ? [...owned] : reach.optional);
  const described = describeInputOf(fields, {
    where,
    unknownArguments,
    omit,
    optional,
    parameters,
    maxPageSize,
    extras,
  });
  const output = describeOutputOf(fields, {
    where,
    isPaged: maxPageSize !== undefined,
    handleDescription: options.handleDescription,
  });
  const page: Parameters = maxPageSize === undefined
    ? {}
    : { page: param.integer(), limit: param.integer() };
  const taken: Parameters = { ...page, ...extras };
  const checking = { unknownArguments, where, flat: options.flat === true };
  // What the server fills is not asked of the caller, and the caller's own value is not looked at.
  const asked = without(parameters, reach.owned, reach.reachesAll ? owned : reach.optional);
  return Object.freeze({
    where,
    spec: fields,
    seeds,
    inputSchema: described.schema,
    outputSchema: output.schema,
    audience: output.audience,
    requiredInput: fields.many ? [] : requiredInput(described.schema, parameters, fields.shapes),
    inputHasPatterns: fields.input !== undefined && usesPatterns(described.schema),
    checkReads: isEmpty(asked) ? undefined : compileParameters(asked, checking),
    parameterNames: new Set([
      ...Object.keys(parameters),
      ...Object.keys(fields.shapes),
      ...Object.keys(taken),
    ]),
    checkShapes: isEmpty(fields.shapes) ? undefined : compileParameters(fields.shapes, checking),
    isPaged: maxPageSize !== undefined,
    checkExtras: isEmpty(taken) ? undefined : compileParameters(taken, checking),
    maxPageSize: maxPageSize ?? undefined,
    many: fields.many ? manyCheck(fields, isClosed, where) : undefined,
    checkUnknown: isClosed && described.names !== undefined
      ? compileUnknownCheck(described.names)
      : undefined,
    names: described.names,
    serverArguments: options.serverArguments ?? new Set(),
    isGranted: fields.permissions.length === 0,
    transaction: options.transaction,
    translateError: options.translateError,
    ...compileStages(fields, seeds),
    includeValidationValue: options.includeValidationValue,
  });
}

function checkGuard({ permissions }: SpecFields, options: OperationOptions): void {
  if (permissions.length > 0 || options.allowsUnguarded === true) return;
  throw new ConfigurationError(
    `Cannot register ${options.where}: permissions is missing; [unrestricted] opens it to everyone`,
  );
}

/** The arguments that are declared by parameters: the look-up's, the spec's own, the filters. */
function gatherParameters(fields: SpecFields, where: string): Parameters {
  const all: Record<string, Parameters[string]> = {};
  for (const group of [fields.target?.reads ?? {}, fields.reads, fields.filters]) {
    for (const [name, parameter] of Object.entries(group)) {
      if (Object.hasOwn(all, name)) throw invalid(where, `argument "${name}" is declared twice`);
      all[name] = parameter;
    }
  }
  if (fields.target?.input !== undefined) {
    throw invalid(where, "the look-up of the target takes reads, not an input schema");
  }
  return all;
}

/** Refuses names that the server owns (K-14, K-37, K-40). Answers every declared name. */
function checkNames(
  fields: SpecFields,
  parameters: Parameters,
  seeds: PoolSeeds,
  where: string,
): ReadonlySet<string> {
  for (const name of Object.keys(fields.seeds.resolvers)) {
    if (!Object.hasOwn(seeds.resolvers, name)) {
      throw invalid(where, `seed "${name}" is not among the server's seeds`);
    }
  }
  const names = new Set([...Object.keys(parameters), ...Object.keys(fields.shapes)]);
  if (fields.input !== undefined) {
    const { schema } = describeArguments({
      input: fields.input,
      unknownArguments: "ignore",
      where,
    });
    for (const name of Object.keys(schema.properties ?? {})) names.add(name);
  }
  for (const name of names) {
    if (Object.hasOwn(seeds.resolvers, name)) {
      throw invalid(where, `argument "${name}" has the name of a seed`);
    }
  }
  const { provide } = fields;
  for (
    const key of provide === undefined || typeof provide === "function"
      ? []
      : Object.keys(provide.keys)
  ) {
    if (RESERVED_NAMES.includes(key)) {
      throw invalid(where, `provide fills "${key}", a reserved name`);
    }
    if (Object.hasOwn(seeds.resolvers, key)) throw invalid(where, `provide fills "${key}", a seed`);
  }
  return names;
}

function without(
  parameters: Parameters,
  owned: ReadonlySet<string>,
  optional: ReadonlySet<string>,
): Parameters {
  const kept: Record<string, Parameters[string]> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (owned.has(name)) continue;
    kept[name] = optional.has(name) ? { ...parameter, required: false } : parameter;
  }
  return kept;
}

function manyCheck(fields: SpecFields, isClosed: boolean, where: string): ManyCheck {
  const { names } = describeArguments({
    input: fields.input!,
    unknownArguments: isClosed ? "reject" : "ignore",
    where,
  });
  return {
    argument: fields.manyArgument,
    maxItems: fields.maxItems,
    checkUnknown: isClosed && names !== undefined ? compileUnknownCheck(names) : undefined,
  };
}

function requiredInput(
  schema: JsonSchema,
  parameters: Parameters,
  shapes: Parameters,
): readonly string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name) =>
    !Object.hasOwn(parameters, name) && !Object.hasOwn(shapes, name)
  );
}

function isEmpty(parameters: Parameters): boolean {
  return Object.keys(parameters).length === 0;
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
