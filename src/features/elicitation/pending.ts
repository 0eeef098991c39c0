import { ADDITIONAL_INPUT, CONFIRM, type Given } from "../../kernel/ask.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import { jsonSchema } from "../../schema/json_schema.ts";

/**
 * Where a call stands that waits for answers: plain JSON. A request has it sealed and sent along; a
 * task keeps it in its record.
 */
export interface Pending {
  /** How many rounds of questions were asked, this one included. */
  readonly round: number;
  /** The names asked: only these are taken from the answers. */
  readonly names: readonly string[];
  /** Answers of earlier rounds that the run has read, by question. */
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** Arguments that were asked for in earlier rounds. */
  readonly arguments: JsonObject;
  /** The form that asks for more arguments, as JSON Schema. */
  readonly form?: JsonObject;
  /** The effects that the user has agreed to, as text. */
  readonly consents: readonly string[];
  /** The effect that the user is asked to agree to, as text. */
  readonly confirming?: string;
  /** What the author keeps. */
  readonly state?: unknown;
  /** Whether answers count only with what is kept here, and once. */
  readonly isSingleUse?: boolean;
}

/** What the rounds so far came to, as plain input of the next run. */
export interface Received extends Given {
  /** How many rounds of questions were asked. */
  readonly round: number;
  /** Arguments that were asked for. */
  readonly arguments: JsonObject;
  /** What the user did instead of giving the arguments that were asked for. */
  readonly refusal?: "decline" | "cancel";
}

/**
 * Brings together what was kept and what was answered now.
 *
 * @param responses The answers of this round, by name, each well formed.
 * @param pending What was kept; without it the answers are plain input and consent to nothing (E-13).
 */
export function receiveAnswers(
  responses: Readonly<Record<string, JsonObject>>,
  pending?: Pending,
): Received {
  const { names = Object.keys(responses), round = 1, consents = [] } = pending ?? {};
  const answers: Record<string, JsonObject> = Object.assign(Object.create(null), pending?.answers);
  for (const name of names) {
    const answer = ownValue(responses, name) as JsonObject | undefined;
    if (answer !== undefined && name !== CONFIRM && name !== ADDITIONAL_INPUT) {
      answers[name] = answer;
    }
  }
  return {
    round,
    answers,
    consents,
    ...(pending?.state === undefined ? {} : { state: pending.state }),
    ...readConfirmation(pending, ownValue(responses, CONFIRM)),
    ...readArguments(pending, names.includes(ADDITIONAL_INPUT), responses),
  };
}

function readConfirmation(
  pending: Pending | undefined,
  response: unknown,
): Pick<Given, "confirmation"> {
  const effect = pending?.confirming;
  if (effect === undefined || !isJsonObject(response)) return {};
  const { action } = response;
  const isAction = action === "accept" || action === "decline" || action === "cancel";
  return isAction ? { confirmation: { effect, action } } : {};
}

function readArguments(
  pending: Pending | undefined,
  isAsked: boolean,
  responses: JsonObject,
): Pick<Received, "arguments" | "refusal"> {
  const kept = pending?.arguments ?? {};
  const response = isAsked ? ownValue(responses, ADDITIONAL_INPUT) : undefined;
  if (!isJsonObject(response)) return { arguments: kept };
  const { action, content } = response;
  if (action === "decline" || action === "cancel") return { arguments: kept, refusal: action };
  if (!isJsonObject(content)) return { arguments: kept };
  const fitting = pending?.form === undefined ? content : fit(content, pending.form);
  return { arguments: { ...kept, ...fitting } };
}

/** The fields that were asked for; none where they are not what the form asks, so it is asked again. */
function fit(content: JsonObject, form: JsonObject): JsonObject {
  const { issues } = jsonSchema(form)["~standard"].validate(content) as { issues?: unknown };
  const { properties } = form;
  if (issues !== undefined || !isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(content).filter(([name]) => Object.hasOwn(properties, name)),
  );
}
