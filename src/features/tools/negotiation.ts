import type { SpecFields } from "../../kernel/spec_fields.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { Continuations } from "../../present/continuation.ts";
import { ENVELOPE_NAMES, type LeanWrite } from "../../present/lean_envelope.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { param } from "../../schema/param.ts";
import { negotiationParameters } from "./negotiation_parameters.ts";
import type { AnyToolOptions } from "./tool_options.ts";

/** How a tool may answer with less than its whole value; a tool that never does has none. */
export interface Negotiation {
  /** What a write that is answered lean declares. */
  readonly write: LeanWrite | undefined;
  /** The argument by which a caller asks for the whole; absent for what is no such write. */
  readonly verifyKey: string | undefined;
  /** Whether it always answers with a probe. */
  readonly isHeavy: boolean;
  /** From more than how many bytes on a read answers with a probe; `null` is never. */
  readonly probeAboveBytes: number | null;
  /** Which tokens it takes: those of its own answers, those of all tools, or none. */
  readonly redeems: "own" | "all" | undefined;
  /** The tool to send its tokens to; absent where no published schema has a place for them. */
  readonly slot: string | undefined;
  /** Where results are kept. */
  readonly continuing: Continuations;
}

/** What the server says about all answers. */
export interface NegotiationDefaults {
  readonly continuationTool?: string | undefined;
  readonly continuing: Continuations;
  readonly leanWrites: boolean;
  readonly probeAboveBytes: number | null;
}

/**
 * Reads how a tool answers.
 *
 * @param where Whose options they are, for errors: `tool "a"`.
 * @throws {ConfigurationError} when an option does not fit the spec, naming it.
 */
export function readNegotiation(
  options: AnyToolOptions,
  fields: SpecFields,
  defaults: NegotiationDefaults,
  where: string,
): Negotiation | undefined {
  checkOptions(options, fields, where);
  const { contentKind = "json", lean = defaults.leanWrites, continuation = false } = options;
  if (contentKind !== "json") return undefined; // its payload is no serialised value
  const { action, leanKeys } = fields;
  const write = action !== undefined && lean ? { action, leanKeys } : undefined;
  const isHeavy = options.heavy === true;
  const redeems = isHeavy || continuation ? "own" : undefined;
  const slot = redeems === "own" ? options.name : defaults.continuationTool;
  const isProbed = action === undefined && options.heavy !== false && slot !== undefined;
  const probeAboveBytes = isProbed ? defaults.probeAboveBytes : null;
  if (write === undefined && !isHeavy && !continuation && probeAboveBytes === null) {
    return undefined;
  }
  return {
    write,
    verifyKey: write && (options.verifyKey ?? "verify"),
    isHeavy,
    probeAboveBytes,
    redeems,
    slot,
    continuing: defaults.continuing,
  };
}

/** The arguments that the server adds to those of the spec. */
export function extrasOf(
  { verifyKey, redeems }: Negotiation,
  isPaged: boolean,
): Parameters {
  const verify = verifyKey === undefined ? {} : {
    [verifyKey]: param.boolean({
      default: false,
      help: "Answer with the full result, which is costly, instead of a short confirmation.",
    }),
  };
  if (redeems === undefined) return verify;
  // Where the list is paged, the argument is there already; beside a token it is the token's (HV-13).
  const { page: _, ...rest } = negotiationParameters();
  return { ...verify, ...(isPaged ? rest : negotiationParameters()) };
}

function checkOptions(options: AnyToolOptions, fields: SpecFields, where: string): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`Cannot register ${where}: ${problem}`);
  };
  const { contentKind = "json", verifyKey } = options;
  for (const key of ["lean", "verifyKey"] as const) {
    if (options[key] !== undefined && fields.action === undefined) {
      refuse(`${key} is for a service that declares an action`);
    }
  }
  if (options.continuation !== undefined && fields.kind !== "service") {
    refuse(`continuation is for a service, not for a ${fields.kind}: use heavy`);
  }
  for (const key of ["heavy", "continuation", "lean"] as const) {
    if (options[key] === true && contentKind !== "json") {
      refuse(`${key} cannot be true for contentKind "${contentKind}"`);
    }
  }
  if (
    verifyKey !== undefined &&
    (verifyKey === "" || Object.hasOwn(negotiationParameters(), verifyKey))
  ) {
    refuse("verifyKey must be a name that the server does not use");
  }
  const { leanKeys } = fields;
  const taken = leanKeys === "assigned"
    ? undefined
    : leanKeys.find((key) => ENVELOPE_NAMES.has(key));
  if (taken !== undefined) refuse(`leanKeys names "${taken}", which the answer has of its own`);
}
