import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import { compileParameters } from "../schema/check_arguments.ts";
import type { ArgumentsOf, Parameters } from "../schema/parameter.ts";
import { Problems } from "../schema/problems.ts";
import type {
  FormQuestion,
  Question,
  Questions,
  RootsQuestion,
  SamplingQuestion,
  UrlQuestion,
} from "./question.ts";

/** What a question came to that was not accepted. */
export interface NoAnswer {
  /**
   * `"decline"`: the user said no. `"cancel"`: the user dismissed it. `"unasked"`: the client does not
   * take such questions, and was asked the others.
   */
  readonly action: "decline" | "cancel" | "unasked";
}

/** Agreed to, without further content. */
export interface Agreed {
  /** Always `"accept"`. */
  readonly action: "accept";
}

/** A form that was filled in. */
export interface FilledForm<Fields extends Parameters> extends Agreed {
  /** What was written, checked and coerced. */
  readonly content: ArgumentsOf<Fields>;
}

/** What the client's model wrote. */
export interface Sampled extends Agreed {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** The text of its blocks, joined. */
  readonly text: string;
  /** The blocks as the client sent them. */
  readonly content: JsonObject | readonly JsonObject[];
  /** The model that wrote it. */
  readonly model: string;
  /** Why it ended, if the client says so. */
  readonly stopReason?: string;
}

/** A folder that the client works on. */
export interface Root {
  /** Where it is: a `file:` URI. Only the client's word: check it like any other input. */
  readonly uri: string;
  /** Its name. */
  readonly name?: string;
}

/** The client's folders. */
export interface ListedRoots extends Agreed {
  /** The folders. */
  readonly roots: readonly Root[];
}

/** The answer to one question. Hover: `FilledForm<…> | NoAnswer` and the like. */
export type AnswerTo<Q> =
  | NoAnswer
  | (Q extends FormQuestion<infer Fields> ? FilledForm<Fields>
    : Q extends UrlQuestion ? Agreed
    : Q extends SamplingQuestion ? Sampled
    : Q extends RootsQuestion ? ListedRoots
    : never);

/** The answers to questions, under their names. */
export type Answers<Q extends Questions> = { readonly [K in keyof Q]: AnswerTo<Q[K]> };

/**
 * Reads an answer as the answer to a question.
 *
 * @param question What was asked.
 * @param given `{ action, content }` for forms and URLs, `{ role, content, model }` for a completion,
 * `{ roots }` for folders.
 * @returns The answer, or `undefined` for one that does not fit, so that it is asked again.
 */
export function readAnswer(question: Question, given: JsonObject): object | undefined {
  switch (question.kind) {
    case "form":
      return given.action === "accept" ? readForm(question.fields, given.content) : refusal(given);
    case "url":
      return given.action === "accept" ? { action: "accept" } : refusal(given);
    case "sampling":
      return readSampled(given);
    case "roots":
      return Array.isArray(given.roots) ? { action: "accept", roots: given.roots } : undefined;
  }
}

function refusal({ action }: JsonObject): NoAnswer | undefined {
  return action === "decline" || action === "cancel" ? { action } : undefined;
}

function readForm(fields: Parameters, content: unknown = {}): object | undefined {
  if (!isJsonObject(content)) return undefined;
  const problems = new Problems();
  const check = compileParameters(fields, { unknownArguments: "ignore", where: "a form" });
  const read = check(content, problems);
  return problems.size > 0 ? undefined : { action: "accept", content: read };
}

function readSampled({ role, content, model, stopReason }: JsonObject): object | undefined {
  if (typeof role !== "string" || typeof model !== "string") return undefined;
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => isJsonObject(block) ? block.text : undefined);
  return {
    action: "accept",
    role,
    text: texts.filter((text) => typeof text === "string").join(""),
    content,
    model,
    ...(typeof stopReason === "string" ? { stopReason } : {}),
  };
}
