import { ConfigurationError } from "../ports/configuration_error.ts";
import { isJsonObject } from "../protocol/json.ts";
import {
  describeArguments,
  describeMany,
  describeOutput,
  type JsonSchema,
} from "../schema/convert_schema.ts";
import { describeParameters } from "../schema/describe_parameter.ts";
import type { Parameters } from "../schema/parameter.ts";
import { type Audience, compileAudience } from "./audience.ts";
import type { SpecFields } from "./spec_fields.ts";
import { DEFAULT_PAGE_SIZE } from "./pageable.ts";

/** What a transport says about the arguments of an operation. */
export interface InputDescription {
  readonly where: string;
  readonly unknownArguments: "reject" | "ignore";
  /** Names that are not the caller's. */
  readonly omit: ReadonlySet<string>;
  /** Names that the caller may leave out. */
  readonly optional: ReadonlySet<string>;
  /** Parameters but for shapes. */
  readonly parameters: Parameters;
  /** The most rows of a page, where the list is paged; `null` is no bound. */
  readonly maxPageSize: number | null | undefined;
  /** Arguments of the transport. */
  readonly extras: Parameters;
}

/** The input schema of an operation, and the names it declares where nobody else decides. */
export interface DescribedInput {
  readonly schema: JsonSchema;
  readonly names: readonly string[] | undefined;
}

/** Describes what an operation takes (K-44…K-48, T-20). */
export function describeInputOf(spec: SpecFields, options: InputDescription): DescribedInput {
  return addExtras(describeOwn(spec, options), options);
}

function describeOwn(spec: SpecFields, options: InputDescription): DescribedInput {
  const { where, unknownArguments, omit, optional, parameters, maxPageSize } = options;
  const described = describeArguments({
    parameters,
    shapes: spec.shapes,
    ...(spec.input === undefined ? {} : { input: spec.input }),
    omit,
    optional,
    unknownArguments,
    where,
  });
  if (spec.many) {
    const { manyArgument: name, maxItems } = spec;
    const schema = describeMany(described.schema, { name, maxItems, unknownArguments });
    return { schema, names: [name] };
  }
  return maxPageSize === undefined ? described : addPage(described, maxPageSize, where);
}

/** What the transport takes is declared in the same object, so that a closed one stays closed (HV-11). */
function addExtras(
  described: DescribedInput,
  { extras, unknownArguments, where }: InputDescription,
): DescribedInput {
  const added = Object.keys(extras);
  if (added.length === 0) return described;
  const { schema, names } = described;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const taken = added.find((name) => Object.hasOwn(properties, name));
  if (taken !== undefined) {
    throw new ConfigurationError(
      `Cannot register ${where}: "${taken}" is an argument of the server, and the spec declares it too`,
    );
  }
  const more = describeParameters(extras, unknownArguments === "reject").properties;
  return {
    schema: { ...schema, properties: { ...properties, ...more } },
    names: names && [...names, ...added],
  };
}

function addPage(
  { schema, names }: DescribedInput,
  maxPageSize: number | null,
  where: string,
): DescribedInput {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const name of ["page", "limit"]) {
    if (Object.hasOwn(properties, name)) {
      throw new ConfigurationError(
        `Cannot register ${where}: paginate declares "${name}", and so does the spec`,
      );
    }
  }
  const page = { type: "integer", minimum: 1, description: "1-based page number." };
  const limit = {
    type: "integer",
    minimum: 1,
    ...(maxPageSize === null ? {} : { maximum: maxPageSize }),
    description: `Rows of a page, ${
      Math.min(DEFAULT_PAGE_SIZE, maxPageSize ?? DEFAULT_PAGE_SIZE)
    } by default; totalPages and hasNext tell what follows.`,
  };
  return {
    schema: { ...schema, properties: { ...properties, page, limit } },
    names: names && [...names, "page", "limit"],
  };
}

/** What an operation gives, and how its rows are shown. */
export interface DescribedOutput {
  readonly schema: JsonSchema | undefined;
  readonly audience: Audience | undefined;
}

/** Describes what an operation gives (K-83, K-92, K-96). */
export function describeOutputOf(
  spec: SpecFields,
  options: {
    readonly where: string;
    readonly isPaged: boolean;
    readonly handleDescription: string | undefined;
  },
): DescribedOutput {
  const { where, isPaged, handleDescription } = options;
  if (spec.output === undefined) {
    if (spec.projects !== undefined) throw invalidProjection(where);
    return { schema: undefined, audience: undefined };
  }
  let row = describeOutput(spec.output, `output of ${where}`);
  const audience = spec.audience === undefined
    ? undefined
    : compileAudience(spec.audience, row, { where, handleDescription });
  if (audience !== undefined) row = audience.schema;
  if (spec.projects !== undefined) row = addAffordances(row, spec.projects, where);
  if (spec.kind === "list" || spec.many) return { schema: listSchema(row, isPaged), audience };
  return { schema: canPresentNothing(spec) ? admitNothing(row) : row, audience };
}

/**
 * Whether an operation may have nothing to present: a list is empty, never absent (K-95).
 */
export function canPresentNothing(spec: SpecFields): boolean {
  if (spec.kind === "list" || spec.many) return false;
  if (spec.kind === "retrieve") return spec.allowNone;
  return spec.reread !== undefined || spec.allowNone;
}

function listSchema(row: JsonSchema, isPaged: boolean): JsonSchema {
  const { $defs, ...items } = row;
  const root = $defs === undefined ? {} : { $defs };
  if (!isPaged) return { type: "array", items, ...root };
  return {
    type: "object",
    properties: {
      items: { type: "array", items },
      page: { type: "integer" },
      totalPages: { type: "integer" },
      hasNext: { type: "boolean" },
    },
    required: ["items", "page", "totalPages", "hasNext"],
    ...root,
  };
}

/** Nothing is served as `{}`: what is required is required of everything else (K-96). */
function admitNothing(schema: JsonSchema): JsonSchema {
  const { required, ...rest } = schema;
  return required === undefined ? schema : { ...rest, anyOf: [{ required }, { maxProperties: 0 }] };
}

function addAffordances(
  row: JsonSchema,
  projects: NonNullable<SpecFields["projects"]>,
  where: string,
): JsonSchema {
  const properties = row.properties;
  if (!isJsonObject(properties) || Object.hasOwn(properties, "affordances")) {
    throw invalidProjection(where);
  }
  const required = Array.isArray(row.required) ? row.required : [];
  const states = Object.entries(projects).map(([name, { conditions }]) => {
    const code = { type: "string", enum: conditions.map((one) => one.code) };
    const state = { available: { type: "boolean" }, code, reason: { type: "string" } };
    return [name, { type: "object", properties: state, required: ["available"] }];
  });
  return {
    ...row,
    properties: {
      ...properties,
      affordances: {
        type: "object",
        properties: Object.fromEntries(states),
        required: Object.keys(projects),
      },
    },
    required: [...required, "affordances"],
  };
}

function invalidProjection(where: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot register ${where}: affordances need an output of objects without that field`,
  );
}
