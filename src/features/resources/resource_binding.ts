import type { Gate } from "../../gate/admit.ts";
import type { LimitContext } from "../../gate/charge_limits.ts";
import { compileOperation } from "../../kernel/compile_operation.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { PoolSeeds } from "../../kernel/pool_seeds.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { serialize } from "../../present/serialize.ts";
import { checkDescriptor } from "../check_descriptor.ts";
import { type Completer, readCompleters } from "../completer.ts";
import { readGate } from "../read_gate.ts";
import type { ContentsOptions, Encoding } from "./encode_contents.ts";
import { checkResourceOptions, type ResourceOptions } from "./resource_options.ts";
import { parseUriTemplate, type UriTemplate } from "./uri_template.ts";

/** What the server says about all of its resources. */
export interface ResourceDefaults {
  readonly resourceTtlMs: number;
  readonly maxResultBytes: number | null;
  readonly includeValidationValue: boolean;
  /** What rate limits count with. */
  readonly limiting: LimitContext;
  readonly requireToolPermissions: boolean;
  readonly seeds?: PoolSeeds | undefined;
  readonly translateError?: Operation["translateError"];
}

/** A spec under a URI, ready to be listed and read. */
export interface ResourceBinding {
  readonly name: string;
  readonly template: UriTemplate;
  readonly operation: Operation;
  readonly gate: Gate;
  readonly alwaysListed: boolean;
  readonly contents: ContentsOptions;
  readonly cacheTtlMs: number;
  readonly completers: ReadonlyMap<string, Completer>;
  /** The entry of its list, as JSON text. */
  readonly listing: string;
}

const MEDIA_TYPES: Readonly<Record<Encoding, string | undefined>> = {
  json: "application/json",
  text: "text/plain",
  blob: "application/octet-stream",
  contents: undefined,
};

/**
 * Binds a spec to a URI or to a template of URIs.
 *
 * @throws {ConfigurationError} when an option or the spec cannot be served, naming both.
 */
export function bindResource(
  spec: unknown,
  options: ResourceOptions,
  defaults: ResourceDefaults,
): ResourceBinding {
  const { uri, name, encoding = "json", mimeType = MEDIA_TYPES[encoding], meta } = options;
  if (typeof name !== "string" || name === "") {
    throw new ConfigurationError(
      `Cannot register resource ${JSON.stringify(uri)}: name must be a text that is not empty`,
    );
  }
  const where = `resource ${JSON.stringify(name)}`;
  checkDescriptor(options, where);
  checkResourceOptions(options, where);
  const template = parseUriTemplate(uri, where);
  const operation = compileOperation(spec, {
    where,
    unknownArguments: "reject",
    flat: true,
    includeValidationValue: defaults.includeValidationValue,
    seeds: defaults.seeds,
    allowsUnguarded: !defaults.requireToolPermissions,
    translateError: defaults.translateError,
  });
  checkKind(operation, encoding, where);
  checkVariables(operation, template, where);
  return Object.freeze({
    name,
    template,
    operation,
    gate: readGate(options, defaults.limiting, where),
    alwaysListed: options.alwaysListed === true,
    contents: {
      encoding,
      mimeType,
      meta: meta === undefined ? undefined : serialize(meta),
      text: operation.spec.text,
      maxResultBytes: options.maxResultBytes ?? defaults.maxResultBytes ?? Infinity,
    },
    cacheTtlMs: options.cacheTtlMs ?? defaults.resourceTtlMs,
    completers: readCompleters(options.complete, template.variables, where),
    listing: serialize({
      [template.variables.length === 0 ? "uri" : "uriTemplate"]: uri,
      name,
      title: options.title,
      description: options.description?.trim() ? options.description : undefined,
      icons: options.icons,
      mimeType,
      size: options.size,
      annotations: options.annotations,
      _meta: meta,
    }),
  });
}

/** Every variable is an argument, and every argument that is needed is a variable. */
function checkVariables(operation: Operation, { variables }: UriTemplate, where: string): void {
  const { properties, required } = operation.inputSchema;
  const taken = isJsonObject(properties) ? properties : {};
  for (const variable of variables) {
    // What a seed or a provider fills is not among the properties.
    if (!operation.parameterNames.has(variable) || !Object.hasOwn(taken, variable)) {
      throw invalid(where, `the uri names "${variable}", which is none of the spec's reads`);
    }
  }
  const needed: readonly string[] = Array.isArray(required) ? required : [];
  const missing = needed.find((name) => !variables.includes(name));
  if (missing !== undefined) {
    throw invalid(where, `the spec needs "${missing}", which the uri does not name`);
  }
}

/** One row, and a row where bytes or words are promised. */
function checkKind({ spec }: Operation, encoding: Encoding, where: string): void {
  if (spec.kind !== "retrieve") {
    throw invalid(
      where,
      'a resource is one row: the spec must be a selectorSpec of kind "retrieve"',
    );
  }
  if (encoding === "json") return;
  const field = spec.allowNone ? "allowNone" : spec.projects === undefined ? "" : "affordances";
  if (field !== "") throw invalid(where, `a spec with ${field} is served as "json" only`);
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
