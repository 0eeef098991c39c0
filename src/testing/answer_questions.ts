import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import type { TestAnswer } from "./test_answer.ts";

/** A question of the server, for its user or its client. */
export interface ReceivedQuestion {
  /** The name that the server gave it. */
  readonly key: string;
  /** What kind it is: `"elicitation/create"`, `"sampling/createMessage"` or `"roots/list"`. */
  readonly method: string;
  /** What is asked. */
  readonly params: JsonObject;
}

/** Answers a question in the place of a user: `{ action: "accept", content: { … } }`. */
export type AnswerQuestion = (question: ReceivedQuestion) => JsonObject | Promise<JsonObject>;

/** What a client can do that has somebody to ask. */
export const ASKABLE: JsonObject = Object.freeze({
  elicitation: { form: {}, url: {} },
  roots: {},
  sampling: {},
});

/** How often a call is sent again: a server that asks for ever must not hang a test. */
export const MAX_ROUNDS = 20;

/**
 * Has the questions of an answer answered.
 *
 * @returns What the same request brings when it is sent again; `undefined` where nothing was asked.
 */
export async function answerQuestions(
  { result }: TestAnswer,
  answer: AnswerQuestion,
): Promise<JsonObject | undefined> {
  if (result?.resultType !== "input_required") return undefined;
  const { inputRequests = {}, requestState } = result;
  const inputResponses: Record<string, JsonObject> = {};
  for (const [key, asked] of Object.entries(inputRequests as object)) {
    const { method, params } = asked;
    inputResponses[key] = await answer({ key, method, params: isJsonObject(params) ? params : {} });
  }
  return { inputResponses, ...requestState !== undefined && { requestState } };
}
