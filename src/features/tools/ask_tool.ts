import { AdditionalInputRequired } from "../../kernel/additional_input_required.ts";
import { InputSpent, NobodyToAsk } from "../../kernel/input_required.ts";
import type { RunResult } from "../../kernel/operation.ts";
import type { Question } from "../../kernel/question.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { errorResult } from "../../present/error_result.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import { askBack, askForArguments } from "../elicitation/ask_back.ts";
import { describeForm } from "../elicitation/describe_form.ts";
import { invalidState } from "../invalid_state.ts";
import { nobodyToAsk, whereAsked } from "../nobody_to_ask.ts";
import { complete, type Outcome } from "../outcome.ts";
import { extrasOf } from "./negotiation.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * Answers a run that has to ask: with its questions, or in words to act on where nobody can be asked.
 *
 * @param tool What ran.
 * @param ended How the run ended.
 * @param call Who can be asked, and what was answered so far.
 * @returns The outcome; `undefined` for a run that ended otherwise.
 */
export function answerAsking(
  tool: ToolBinding,
  ended: RunResult,
  call: Call,
): Outcome | undefined {
  if (ended.type === "input_required") {
    return sealOnce(tool, whereAsked(() => askBack(ended.asked, call.input)));
  }
  if (ended.type !== "refused") return undefined;
  const { error } = ended;
  if (error instanceof InputSpent) return invalidState(call, error.message);
  if (error instanceof NobodyToAsk) {
    // The legacy era and code of this process have no word for it but a failure of the tool.
    if (call.canAsk !== undefined) return nobodyToAsk(error);
    return complete(errorResult({ type: "input_required", message: error.message }, error));
  }
  const isService = tool.operation.spec.kind === "service";
  if (!isService || !(error instanceof AdditionalInputRequired)) return undefined;
  return sealOnce(tool, whereAsked(() => requestArguments(tool, error, call)));
}

/** Asks for arguments, or names them to a model where nobody can be asked (E-2…E-5, E-20). */
function requestArguments(
  tool: ToolBinding,
  error: AdditionalInputRequired,
  call: Call,
): Outcome {
  const { message, fields } = error;
  const { properties: requestedInput } = describeForm(fields);
  const names = Object.keys(fields);
  checkNames(tool, names);
  const form: Question = { kind: "form", message, fields };
  if (names.length > 0 && call.canAsk?.(form) === true) return askForArguments(error, call.input);
  const failure = {
    type: "input_required",
    message,
    ...(names.length === 0 ? {} : { requestedInput }),
  } as const;
  return complete(errorResult(failure, error));
}

/** Only what the spec takes from its callers can be asked for: an answer is an argument (E-2, X-7). */
function checkNames({ operation, negotiation }: ToolBinding, names: readonly string[]): void {
  const taken = { ...operation.inputSchema.properties as JsonObject | undefined };
  const extras = negotiation === undefined ? {} : extrasOf(negotiation, operation.isPaged);
  for (const name of Object.keys(extras)) delete taken[name];
  const stray = names.find((name) => !Object.hasOwn(taken, name));
  if (stray === undefined) return;
  const all = Object.keys(taken).map((name) => `"${name}"`).join(", ");
  throw new ConfigurationError(
    `Cannot ask for "${stray}": ${operation.where} takes ${all === "" ? "no arguments" : all}`,
  );
}

/** Answers to a tool for one-time operations count only with a state, which works once. */
function sealOnce(tool: ToolBinding, outcome: Outcome): Outcome {
  if (!tool.isSingleUse || outcome.type !== "input_required") return outcome;
  return { ...outcome, pending: { ...outcome.pending, isSingleUse: true } };
}
