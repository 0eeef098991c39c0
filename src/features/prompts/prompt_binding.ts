import type { Gate } from "../../gate/admit.ts";
import type { LimitContext } from "../../gate/charge_limits.ts";
import type { Expects, Fits } from "../../kernel/answer_mismatch.ts";
import { compileOperation } from "../../kernel/compile_operation.ts";
import type { Operation } from "../../kernel/operation.ts";
import { type PermissionCheck, unrestricted } from "../../kernel/permission_check.ts";
import type { Takes } from "../../kernel/pool_mismatch.ts";
import type { NoParameters } from "../../kernel/spec_options.ts";
import { selectorSpec } from "../../kernel/specs_for.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { findStray } from "../../ports/find_stray.ts";
import type { Principal } from "../../ports/principal.ts";
import { serialize } from "../../present/serialize.ts";
import type { Parameters } from "../../schema/parameter.ts";
import { checkDescriptor, type Descriptor } from "../check_descriptor.ts";
import { type Completer, type Completers, readCompleters } from "../completer.ts";
import type { PromptAnswer } from "./prompt_messages.ts";
import { type GateOptions, readGate } from "../read_gate.ts";

/** How a prompt presents itself, and who may get it. */
export interface PromptOptions<
  User extends Principal = Principal,
  Reads extends Parameters = NoParameters,
> extends Descriptor, Omit<GateOptions, "name"> {
  /** Its arguments. On the wire each is a text, which is coerced. Default: none. */
  readonly reads?: Reads;
  /** Who may get it; all must admit. May be left out only where `scopes` guard it. */
  readonly permissions?: readonly PermissionCheck<User>[];
  /** Listed to every caller, whatever scopes and permissions say. Default `false`. */
  readonly alwaysListed?: boolean;
  /** Suggests values of the arguments. Default: none. */
  readonly complete?: Completers<User, Extract<keyof Reads, string>>;
}

/**
 * What makes the messages of a prompt. What it asks for and what it answers are type parameters of their
 * own, as of `Takes` and `Fits`. Hover: a function.
 */
export type RendersPrompt<Pool, Asked, Answer> =
  & Takes<Asked, Pool>
  & Fits<Answer, PromptAnswer>
  & ((pool: Pool) => Expects<Answer, PromptAnswer>);

/** What the server says about all of its prompts. */
export interface PromptDefaults {
  readonly includeValidationValue: boolean;
  readonly limiting: LimitContext;
  readonly translateError?: Operation["translateError"];
}

/** A prompt, ready to be listed and rendered. */
export interface PromptBinding {
  readonly name: string;
  readonly description: string | undefined;
  readonly operation: Operation;
  readonly gate: Gate;
  readonly alwaysListed: boolean;
  readonly completers: ReadonlyMap<string, Completer>;
  /** The entry of `prompts/list`, as JSON text. */
  readonly listing: string;
}

const KNOWN: readonly (keyof PromptOptions)[] = [
  "alwaysListed",
  "complete",
  "description",
  "icons",
  "meta",
  "permissions",
  "rateLimits",
  "reads",
  "scopes",
  "title",
];

/**
 * Binds what renders a prompt to its name.
 *
 * @param name Wire name, unique on the server.
 * @param options Its arguments, who may get it, and how it is listed.
 * @param render Makes its messages.
 * @param defaults What the server says about all prompts.
 * @throws {ConfigurationError} when an option is wrong, naming the prompt and the option.
 */
export function bindPrompt(
  name: string,
  options: object,
  render: (pool: never) => unknown,
  defaults: PromptDefaults,
): PromptBinding {
  if (typeof name !== "string" || name === "") {
    throw new ConfigurationError(
      `Cannot register prompt ${JSON.stringify(name)}: name must be a text that is not empty`,
    );
  }
  const where = `prompt ${JSON.stringify(name)}`;
  const stray = findStray(options, KNOWN, "an option of a prompt");
  if (stray !== undefined) throw invalid(where, stray);
  const prompt = options as PromptOptions<Principal, Parameters>;
  const { title, description, icons, meta, reads = {}, scopes, permissions } = prompt;
  checkDescriptor(prompt, where);
  if (typeof render !== "function") throw invalid(where, "render must be a function");
  // Here the scopes count as a guard (P-2).
  const guard = permissions ?? (scopes === undefined ? [] : [unrestricted]);
  if (!Array.isArray(guard) || guard.length === 0) {
    throw invalid(where, "permissions must list at least one check; [unrestricted] opens it");
  }
  const spec = selectorSpec({
    kind: "retrieve",
    reads,
    permissions: guard,
    select: render as () => unknown,
  });
  const operation = compileOperation(spec, {
    where,
    unknownArguments: "reject",
    flat: true,
    includeValidationValue: defaults.includeValidationValue,
    translateError: defaults.translateError,
  });
  const list = Object.entries(reads).map(([name, { help, required }]) => ({
    name,
    description: help,
    required,
  }));
  return Object.freeze({
    name,
    description,
    operation,
    gate: readGate({ ...prompt, name }, defaults.limiting, where),
    alwaysListed: prompt.alwaysListed === true,
    completers: readCompleters(prompt.complete, Object.keys(reads), where),
    listing: serialize({
      name,
      title,
      description,
      icons,
      arguments: list.length === 0 ? undefined : list,
      _meta: meta,
    }),
  });
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
