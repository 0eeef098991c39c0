import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";
import { serialize } from "../../present/serialize.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { SpecKind } from "../../kernel/spec.ts";
import type { AnyToolOptions } from "./tool_options.ts";

const CONTENT_KINDS: readonly unknown[] = ["json", "text", "image", "audio", "links", "blocks"];

const TASK_POLICIES: readonly unknown[] = ["forbidden", "optional", "required"];

/** What an option's value must be, by name; the table is the list of the options there are. */
const OPTIONS: Readonly<Record<keyof AnyToolOptions, (value: unknown) => string | undefined>> = {
  name: () => undefined,
  description: described,
  title: described,
  icons: described,
  scopes: () => undefined,
  rateLimits: () => undefined,
  annotations: objectOr,
  meta: described,
  serverArguments: objectOr,
  unknownArguments: (value) =>
    value === "reject" || value === "ignore" ? undefined : 'must be "reject" or "ignore"',
  alwaysListed: booleanOr,
  dispatcher: textOr,
  contentKind: (value) =>
    CONTENT_KINDS.includes(value) ? undefined : `must be one of ${CONTENT_KINDS.join(", ")}`,
  contentMimeType: textOr,
  includeStructuredContent: booleanOr,
  includeOutputSchema: booleanOr,
  requiresClient: objectOr,
  continuation: booleanOr,
  heavy: booleanOr,
  lean: booleanOr,
  verifyKey: textOr,
  maxResultBytes: countOrNull,
  dispatchTimeoutMs: countOrNull,
  singleUse: booleanOr,
  taskPolicy: (value) =>
    TASK_POLICIES.includes(value) ? undefined : `must be one of ${TASK_POLICIES.join(", ")}`,
  displayName: textOr,
  displayDescription: textOr,
  invalidates: () => undefined,
  paginate: booleanOr,
  maxPageSize: countOrNull,
};

/** The names of the options of a tool. */
export const TOOL_OPTION_NAMES: readonly string[] = Object.keys(OPTIONS);

/**
 * Checks what an author without types can get wrong about a tool, so that no call finds it first.
 *
 * @param options The options.
 * @param kind What kind of spec they bind.
 * @param where Whose they are, for errors: `tool "a"`.
 * @throws {ConfigurationError} when an option is wrong, naming it.
 */
export function checkToolOptions(options: AnyToolOptions, kind: SpecKind, where: string): void {
  const stray = findStray(options, TOOL_OPTION_NAMES, "an option of a tool");
  if (stray !== undefined) throw invalid(where, stray);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const problem = OPTIONS[key as keyof AnyToolOptions](value);
    if (problem !== undefined) throw invalid(where, `${key} ${problem}`);
  }
  for (const key of ["paginate", "maxPageSize"] as const) {
    if (kind !== "list" && options[key] !== undefined) {
      throw invalid(where, `${key} is for a list, not for a ${kind}`);
    }
  }
  if (kind !== "service" && options.invalidates !== undefined) {
    throw invalid(where, `invalidates is for a service, not for a ${kind}`);
  }
  checkContent(options, where);
}

function checkContent(options: AnyToolOptions, where: string): void {
  const { contentKind = "json", contentMimeType } = options;
  const isMedia = contentKind === "image" || contentKind === "audio";
  if (isMedia && contentMimeType === undefined) {
    throw invalid(where, `contentMimeType is needed for contentKind "${contentKind}"`);
  }
  if (!isMedia && contentMimeType !== undefined) {
    throw invalid(where, `contentMimeType is for image and audio, not for "${contentKind}"`);
  }
  const isStructured = contentKind === "json" || contentKind === "links";
  for (const key of ["includeStructuredContent", "includeOutputSchema"] as const) {
    if (!isStructured && options[key] === true) {
      throw invalid(where, `${key} cannot be true for contentKind "${contentKind}"`);
    }
  }
  if (options.includeOutputSchema === true && options.includeStructuredContent === false) {
    throw invalid(where, "includeOutputSchema promises what includeStructuredContent leaves out");
  }
}

/** Told by `checkDescriptor()`, which all catalogues share. */
function described(): undefined {}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "must be a text";
}

function booleanOr(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "must be true or false";
}

function countOrNull(value: unknown): string | undefined {
  if (value === null || (Number.isSafeInteger(value) && value as number > 0)) return undefined;
  return "must be an integer of at least 1, or null for no bound";
}

function objectOr(value: unknown): string | undefined {
  if (!isJsonObject(value)) return "must be an object";
  try {
    serialize(value);
    return undefined;
  } catch (cause) {
    return `must be JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
