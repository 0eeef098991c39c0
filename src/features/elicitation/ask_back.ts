import type { AdditionalInputRequired } from "../../kernel/additional_input_required.ts";
import { ADDITIONAL_INPUT, type Asked } from "../../kernel/ask.ts";
import type { Question } from "../../kernel/question.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import { toInputRequest } from "./input_request.ts";
import type { Pending, Received } from "./pending.ts";

/** A call that asks before it can go on: its caller calls again with the answers. */
export interface InputRequiredOutcome {
  /** Always `"input_required"`. */
  readonly type: "input_required";
  /** What is asked, by name, as requests of the protocol. */
  readonly requests: Readonly<Record<string, JsonObject>>;
  /** What the next run needs to know; of a request it is sealed, and never sent as it is. */
  readonly pending: Pending;
  /** What the client sends back unread. Default: nothing. */
  readonly requestState?: string;
}

/**
 * Ends a call with questions.
 *
 * @param asked What the run asks for, and what it has made of the answers so far.
 * @param received What it was given.
 * @throws {ConfigurationError} for a form that clients do not take, naming the field.
 */
export function askBack(
  asked: Asked,
  received: Received | undefined,
): InputRequiredOutcome {
  const { questions, answers, consents, effect, state } = asked;
  const requests = Object.entries(questions).map(([name, question]) =>
    [name, toInputRequest(question)] as const
  );
  return {
    type: "input_required",
    requests: Object.fromEntries(requests),
    pending: {
      round: (received?.round ?? 0) + 1,
      names: requests.map(([name]) => name),
      answers,
      arguments: received?.arguments ?? {},
      consents,
      ...(effect === undefined ? {} : { confirming: effect }),
      ...(state === undefined ? {} : { state }),
    },
  };
}

/**
 * Ends a call with the one form of a service that needs arguments.
 *
 * @throws {ConfigurationError} for a form that clients do not take, naming the field.
 */
export function askForArguments(
  { message, fields }: AdditionalInputRequired,
  received: Received | undefined,
): InputRequiredOutcome {
  const request = toInputRequest({ kind: "form", message, fields } satisfies Question);
  const { answers = {}, consents = [], state } = received ?? {};
  const { params } = request;
  return {
    type: "input_required",
    requests: { [ADDITIONAL_INPUT]: request },
    pending: {
      round: (received?.round ?? 0) + 1,
      names: [ADDITIONAL_INPUT],
      answers,
      arguments: received?.arguments ?? {},
      form: (isJsonObject(params) ? params.requestedSchema : {}) as JsonObject,
      consents,
      ...(state === undefined ? {} : { state }),
    },
  };
}
