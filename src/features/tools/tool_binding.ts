import type { Gate } from "../../gate/admit.ts";
import type { LimitContext } from "../../gate/charge_limits.ts";
import { type SpecFields, specFields } from "../../kernel/spec_fields.ts";
import { compileOperation } from "../../kernel/compile_operation.ts";
import type { Operation, TransactionRunner } from "../../kernel/operation.ts";
import type { SeedPool } from "../../kernel/pool.ts";
import type { PoolSeeds } from "../../kernel/pool_seeds.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Presentation } from "../../present/present_result.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import { describeInput } from "../../schema/convert_schema.ts";
import { findMirroredHeaders, type MirroredHeader } from "../../schema/mirrored_headers.ts";
import type { Announcer } from "../announcer.ts";
import { checkDescriptor } from "../check_descriptor.ts";
import type { RenderedConventions } from "../conventions.ts";
import { readGate } from "../read_gate.ts";
import { admitToken } from "./admit_token.ts";
import { advertisedOutput, wrapsForLegacy } from "./advertised_output.ts";
import { type AnnounceWrite, createAnnounceWrite } from "./announce_write.ts";
import { checkToolOptions } from "./check_tool_options.ts";
import type { DispatcherEffect } from "./dispatchers/dispatcher_options.ts";
import { readInvalidation } from "./invalidation.ts";
import {
  extrasOf,
  type Negotiation,
  type NegotiationDefaults,
  readNegotiation,
} from "./negotiation.ts";
import { bindArguments, type BoundArguments } from "./server_arguments.ts";
import { describeTool, type ToolListing } from "./tool_listing.ts";
import type { AnyToolOptions, ToolOptions } from "./tool_options.ts";

/** What the server says about all of its tools. */
export interface ToolDefaults extends NegotiationDefaults {
  /** Tells of what tools change; absent where nobody can be told. */
  readonly announcer?: Announcer;
  readonly conventions: RenderedConventions;
  readonly dispatchTimeoutMs: number | null;
  readonly includeOutputSchema: boolean;
  readonly includeStructuredContent: boolean;
  readonly includeValidationValue: boolean;
  /** What rate limits count with. */
  readonly limiting: LimitContext;
  readonly maxPageSize: number | null;
  readonly maxResultBytes: number | null;
  readonly partition?: ((pool: SeedPool) => string) | undefined;
  readonly requireToolPermissions: boolean;
  readonly seeds?: PoolSeeds | undefined;
  readonly transaction?: TransactionRunner | undefined;
  readonly translateError?: Operation["translateError"];
}

/** A spec under a wire name, ready to be listed and called. */
export interface ToolBinding {
  readonly name: string;
  readonly options: ToolOptions;
  readonly operation: Operation;
  readonly gate: Gate;
  readonly presentation: Presentation;
  readonly mirrored: readonly MirroredHeader[];
  readonly bound: BoundArguments | undefined;
  /** How it answers with less than its value; absent where it always answers with all of it. */
  readonly negotiation: Negotiation | undefined;
  /** Whether a `verify` that nobody declared is dropped. */
  readonly dropsVerify: boolean;
  readonly requiresClient: JsonObject | undefined;
  readonly maxResultBytes: number | null;
  readonly dispatchTimeoutMs: number | null;
  /** Whether a call may or must become a task; absent for a tool that knows none. */
  readonly taskPolicy: "optional" | "required" | undefined;
  readonly isPaged: boolean;
  /** Whether what its callers answer works once. */
  readonly isSingleUse: boolean;
  readonly alwaysListed: boolean;
  readonly conventions: RenderedConventions;
  /** The dispatcher that it stands behind; absent where it is listed itself. */
  readonly dispatcher: string | undefined;
  /** What the tools behind it do; absent where it is no dispatcher. */
  readonly dispatches: DispatcherEffect | undefined;
  /** Tells of what a call changed; absent where it changes nothing that is watched. */
  readonly announce: AnnounceWrite | undefined;
  /** The entry of `tools/list`. */
  readonly listing: ToolListing;
}

/**
 * Binds a spec to a tool name.
 *
 * @throws {ConfigurationError} when an option or the spec cannot be served, naming both.
 */
export function bindTool(
  spec: unknown,
  options: AnyToolOptions,
  defaults: ToolDefaults,
): ToolBinding {
  const { name } = options;
  if (typeof name !== "string" || name.length === 0 || name.length > 128) {
    throw new ConfigurationError(
      `Cannot register tool ${JSON.stringify(name)}: name must have 1 to 128 characters`,
    );
  }
  const where = `tool ${JSON.stringify(name)}`;
  const fields = specFields(spec, where);
  checkToolOptions(options, fields.kind, where);
  checkDescriptor(options, where);
  const bound = options.serverArguments === undefined ? undefined : bindArguments(
    options.serverArguments,
    { ...fields.target?.reads, ...fields.reads, ...fields.shapes, ...fields.filters },
    fields.input === undefined ? {} : describeInput(fields.input, where),
    where,
  );
  const isPaged = options.paginate === true;
  const negotiation = readNegotiation(options, fields, defaults, where);
  const operation = compileOperation(spec, {
    where,
    unknownArguments: options.unknownArguments ?? "reject",
    includeValidationValue: defaults.includeValidationValue,
    seeds: defaults.seeds,
    ...(bound === undefined ? {} : { serverArguments: bound.names }),
    ...(negotiation === undefined ? {} : { extras: extrasOf(negotiation, isPaged) }),
    ...(isPaged ? { maxPageSize: inherit(options.maxPageSize, defaults.maxPageSize) } : {}),
    allowsUnguarded: !defaults.requireToolPermissions,
    transaction: defaults.transaction,
    translateError: defaults.translateError,
    handleDescription: defaults.conventions.handleFieldDescription,
  });
  const output = advertisedOutput(operation, negotiation);
  const presentation = presentationOf(options, operation, defaults, { where, output });
  const inputSchema = negotiation?.redeems === "own"
    ? admitToken(operation.inputSchema)
    : operation.inputSchema;
  const listing = describeTool(options, { ...operation, inputSchema }, {
    conventions: defaults.conventions,
    isPaged,
    outputSchema: advertises(options, presentation, defaults) ? output : undefined,
  });
  return Object.freeze({
    name,
    options: Object.freeze({ ...options }),
    operation,
    gate: readGate(options, defaults.limiting, where),
    presentation,
    mirrored: findMirroredHeaders(operation.inputSchema, where),
    bound,
    negotiation,
    dropsVerify: isWholeAlways(fields, negotiation) && refusesVerify(operation.inputSchema),
    requiresClient: options.requiresClient,
    maxResultBytes: inherit(options.maxResultBytes, defaults.maxResultBytes),
    dispatchTimeoutMs: inherit(options.dispatchTimeoutMs, defaults.dispatchTimeoutMs),
    taskPolicy: options.taskPolicy === "forbidden" ? undefined : options.taskPolicy,
    isPaged,
    isSingleUse: options.singleUse === true,
    alwaysListed: options.alwaysListed === true,
    conventions: defaults.conventions,
    dispatcher: options.dispatcher,
    dispatches: undefined,
    announce: announceOf(options, operation, defaults, where),
    listing,
  });
}

/** Reads, and writes whose author wants them whole: to ask for the whole changes nothing (W-43). */
function isWholeAlways(
  { kind, action }: SpecFields,
  negotiation: Negotiation | undefined,
): boolean {
  return (kind !== "service" || action !== undefined) && negotiation?.verifyKey === undefined;
}

function refusesVerify({ additionalProperties, properties }: JsonObject): boolean {
  return additionalProperties === false &&
    !(isJsonObject(properties) && Object.hasOwn(properties, "verify"));
}

/** An explicit null lifts a bound; only an absent option inherits. */
function inherit(own: number | null | undefined, server: number | null): number | null {
  return own === undefined ? server : own;
}

function advertises(
  { includeOutputSchema }: ToolOptions,
  { structuredContent }: Presentation,
  defaults: ToolDefaults,
): boolean {
  return structuredContent && (includeOutputSchema ?? defaults.includeOutputSchema);
}

function announceOf(
  { name: tool, invalidates }: AnyToolOptions,
  operation: Operation,
  { announcer, partition }: ToolDefaults,
  where: string,
): AnnounceWrite | undefined {
  const invalidation = readInvalidation(invalidates, operation, where);
  if (invalidation === undefined || announcer === undefined) return undefined;
  return createAnnounceWrite({ tool, invalidation, announcer, partition });
}

function presentationOf(
  options: ToolOptions,
  operation: Operation,
  defaults: ToolDefaults,
  { where, output: advertised }: {
    readonly where: string;
    readonly output: JsonObject | undefined;
  },
): Presentation {
  const { contentKind = "json", contentMimeType, includeStructuredContent } = options;
  const { output, text } = operation.spec;
  const isStructured = contentKind === "json" || contentKind === "links";
  if (!isStructured && output !== undefined) {
    throw new ConfigurationError(
      `Cannot register ${where}: output cannot be served as contentKind "${contentKind}"`,
    );
  }
  return {
    tool: options.name,
    contentKind,
    contentMimeType,
    text,
    hasOutput: output !== undefined,
    structuredContent: isStructured &&
      (includeStructuredContent ?? defaults.includeStructuredContent),
    wrapsForLegacy: wrapsForLegacy(advertised),
  };
}
