import type { Parameters } from "../schema/parameter.ts";
import { compileParameters } from "../schema/check_arguments.ts";
import { describeArguments, describeOutput, type JsonSchema } from "../schema/convert_schema.ts";
import { compileUnknownCheck } from "../schema/unknown_arguments.ts";
import { usesPatterns } from "../schema/uses_patterns.ts";
import type { Operation } from "./operation.ts";
import { compileStages } from "./stages.ts";
import { type SpecFields, specFields } from "./spec.ts";

/** How an operation is bound to a transport. */
export interface OperationOptions {
  /** For errors: `tool "a"`. */
  readonly where: string;
  /** What happens to arguments nobody declared. */
  readonly unknownArguments: "reject" | "ignore";
  /** Whether arguments are variables of a URI: single values stand for lists. Default `false`. */
  readonly flat?: boolean;
  /** Whether refusals may repeat what the caller sent. */
  readonly includeValidationValue: boolean;
}

/**
 * Compiles a spec once, at registration.
 *
 * @throws {ConfigurationError} when the declaration cannot be served, naming `where` and the place.
 */
export function compileOperation(spec: unknown, options: OperationOptions): Operation {
  const { where, unknownArguments, flat = false } = options;
  const fields = specFields(spec, where);
  const described = describeArguments({
    parameters: fields.reads,
    ...(fields.input === undefined ? {} : { input: fields.input }),
    unknownArguments,
    where,
  });
  const { names } = described;
  return Object.freeze({
    where,
    spec: fields,
    inputSchema: described.schema,
    outputSchema: outputSchema(fields, where),
    requiredInput: requiredInput(described.schema, fields.reads),
    inputHasPatterns: fields.input !== undefined && usesPatterns(described.schema),
    checkReads: isEmpty(fields.reads)
      ? undefined
      : compileParameters(fields.reads, { unknownArguments, flat, where }),
    checkUnknown: unknownArguments === "reject" && names !== undefined
      ? compileUnknownCheck(names)
      : undefined,
    names,
    stages: compileStages(fields),
    includeValidationValue: options.includeValidationValue,
  });
}

function outputSchema(fields: SpecFields, where: string): JsonSchema | undefined {
  if (fields.output === undefined) return undefined;
  const row = describeOutput(fields.output, `output of ${where}`);
  if (fields.kind !== "list") return row;
  const { $defs, ...items } = row;
  return { type: "array", items, ...($defs === undefined ? {} : { $defs }) };
}

function requiredInput(schema: JsonSchema, reads: Parameters): readonly string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.filter((name) => !Object.hasOwn(reads, name));
}

function isEmpty(parameters: Parameters): boolean {
  return Object.keys(parameters).length === 0;
}
