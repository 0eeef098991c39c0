import type { Gate } from "../../gate/admit.ts";
import type { LimitContext, Limits } from "../../gate/charge_limits.ts";
import { type RateLimiters, readLimiters } from "../../gate/read_limiters.ts";
import { compileOperation } from "../../kernel/compile_operation.ts";
import type { Operation } from "../../kernel/operation.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { ContentKind, Presentation } from "../../present/present_result.ts";
import { serialize } from "../../present/serialize.ts";
import type { ToolAnnotations } from "../../protocol/descriptors.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { checkToolOptions } from "./check_tool_options.ts";
import { findMirroredHeaders, type MirroredHeader } from "../../schema/mirrored_headers.ts";

/** How a spec is served as a tool. */
export interface ToolOptions {
  /** Wire name, unique on the server. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** Display title. Default: none. */
  readonly title?: string;
  /** Scopes a token must carry, all of them. Default: none are asked for. */
  readonly scopes?: string | readonly string[];
  /**
   * How many calls are admitted, by one limiter or several that must all agree. Only a caller whom
   * scopes and permissions admitted is charged, once a call. Default: no limit.
   */
  readonly rateLimits?: RateLimiters;
  /** Hints, over those that follow from the spec. */
  readonly annotations?: ToolAnnotations;
  /** `_meta` of the listed tool. Default: none. */
  readonly meta?: JsonObject;
  /** What happens to arguments nobody declared. Default `"reject"`. */
  readonly unknownArguments?: "reject" | "ignore";
  /** What the value becomes on the wire. Default `"json"`. */
  readonly contentKind?: ContentKind;
  /** Media type; needed for `image` and `audio`, refused elsewhere. */
  readonly contentMimeType?: string;
  /** Capabilities the client must declare; otherwise the call is refused with -32021. */
  readonly requiresClient?: JsonObject;
  /** Ceiling of the encoded result in bytes. Default: the server's. */
  readonly maxResultBytes?: number;
}

/** What the server says about all of its tools. */
export interface ToolDefaults {
  readonly maxResultBytes: number;
  readonly includeValidationValue: boolean;
  /** What rate limits count with. */
  readonly limiting: LimitContext;
}

/** A spec under a wire name, ready to be listed and called. */
export interface ToolBinding {
  readonly name: string;
  readonly operation: Operation;
  readonly gate: Gate;
  readonly presentation: Presentation;
  readonly mirrored: readonly MirroredHeader[];
  readonly requiresClient: JsonObject | undefined;
  readonly maxResultBytes: number;
  /** The entry of `tools/list`, without schemas of the output. */
  readonly listing: ToolListing;
}

/** A tool as it is listed: JSON text in two parts, since eras differ in what an output may be. */
export interface ToolListing {
  /** Everything but the output schema: members without braces. */
  readonly members: string;
  /** The output schema, if one is advertised. */
  readonly outputSchema: JsonObject | undefined;
}

const KNOWN: ReadonlySet<string> = new Set<keyof ToolOptions>([
  "annotations",
  "contentKind",
  "contentMimeType",
  "description",
  "maxResultBytes",
  "meta",
  "name",
  "rateLimits",
  "requiresClient",
  "scopes",
  "title",
  "unknownArguments",
]);

/**
 * Binds a spec to a tool name.
 *
 * @throws {ConfigurationError} when an option or the spec cannot be served, naming both.
 */
export function bindTool(spec: unknown, options: ToolOptions, defaults: ToolDefaults): ToolBinding {
  const { name } = options;
  if (typeof name !== "string" || name.length === 0 || name.length > 128) {
    throw new ConfigurationError(
      `Cannot register tool ${JSON.stringify(name)}: name must have 1 to 128 characters`,
    );
  }
  const where = `tool ${JSON.stringify(name)}`;
  for (const key of Object.keys(options)) {
    if (!KNOWN.has(key)) throw invalid(where, `${key} is not an option of a tool`);
  }
  if (typeof options.description !== "string" || options.description.trim() === "") {
    throw invalid(where, "description must say what the tool does");
  }
  checkToolOptions(options, where);
  const operation = compileOperation(spec, {
    where,
    unknownArguments: unknownPolicy(options, where),
    includeValidationValue: defaults.includeValidationValue,
  });
  const presentation = presentationOf(options, operation, where);
  return Object.freeze({
    name,
    operation,
    gate: {
      scopes: scopesOf(options.scopes, where),
      limits: limitsOf(options, defaults.limiting, where),
    },
    presentation,
    mirrored: findMirroredHeaders(operation.inputSchema, where),
    requiresClient: options.requiresClient,
    maxResultBytes: options.maxResultBytes ?? defaults.maxResultBytes,
    listing: listingOf(options, operation, presentation),
  });
}

function unknownPolicy(options: ToolOptions, where: string): "reject" | "ignore" {
  const { unknownArguments = "reject" } = options;
  if (unknownArguments !== "reject" && unknownArguments !== "ignore") {
    throw invalid(where, 'unknownArguments must be "reject" or "ignore"');
  }
  return unknownArguments;
}

function scopesOf(scopes: ToolOptions["scopes"], where: string): readonly string[] {
  if (scopes === undefined) return [];
  const list = typeof scopes === "string" ? [scopes] : scopes;
  if (list.length === 0) {
    throw invalid(where, "scopes is empty, which would admit everyone; leave it out instead");
  }
  // RFC 6749, section 3.3: anything else could break out of the challenge.
  const bad = list.find((scope) => !/^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope));
  if (bad !== undefined) throw invalid(where, `scopes holds ${JSON.stringify(bad)}, not a scope`);
  return Object.freeze([...list]);
}

function limitsOf(
  { name, rateLimits }: ToolOptions,
  context: LimitContext,
  where: string,
): Limits | undefined {
  const limiters = readLimiters(rateLimits);
  if (typeof limiters === "string") throw invalid(where, `rateLimits ${limiters}`);
  return limiters.length === 0 ? undefined : { ...context, limiters, namespace: name };
}

function presentationOf(options: ToolOptions, operation: Operation, where: string): Presentation {
  const { contentKind = "json", contentMimeType } = options;
  const { output, text } = operation.spec;
  const isMedia = contentKind === "image" || contentKind === "audio";
  if (isMedia && contentMimeType === undefined) {
    throw invalid(where, `contentMimeType is needed for contentKind "${contentKind}"`);
  }
  if (!isMedia && contentMimeType !== undefined) {
    throw invalid(where, `contentMimeType is for image and audio, not for "${contentKind}"`);
  }
  if (contentKind !== "json" && contentKind !== "links" && output !== undefined) {
    throw invalid(where, `output cannot be served as contentKind "${contentKind}"`);
  }
  return {
    tool: options.name,
    contentKind,
    contentMimeType,
    text,
    hasOutput: output !== undefined,
    structuredContent: contentKind === "json" || contentKind === "links",
    wrapsForLegacy: operation.outputSchema && operation.outputSchema.type !== "object",
  };
}

function listingOf(
  options: ToolOptions,
  operation: Operation,
  presentation: Presentation,
): ToolListing {
  const { name, title, description, annotations, meta } = options;
  const entry = {
    name,
    title,
    description,
    inputSchema: operation.inputSchema,
    annotations: { ...derivedHints(operation), ...annotations },
    _meta: meta,
  };
  return {
    members: serialize(entry).slice(1, -1),
    outputSchema: presentation.structuredContent ? operation.outputSchema : undefined,
  };
}

/** What follows from the spec (M-1, M-3). */
function derivedHints({ spec }: Operation): ToolAnnotations {
  if (spec.kind !== "service") return { readOnlyHint: true };
  const { idempotent } = spec;
  return {
    readOnlyHint: false,
    destructiveHint: true,
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
  };
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
