import { isLoopback } from "../ports/is_loopback.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Parameters } from "../schema/parameter.ts";

/** A form put to the user. Never for secrets: what is written in it passes through the client. */
export interface FormQuestion<Fields extends Parameters = Parameters> {
  /** Always `"form"`. */
  readonly kind: "form";
  /** Why it is asked, for the user. */
  readonly message: string;
  /** The fields: texts, numbers, booleans, choices, and lists of choices. */
  readonly fields: Fields;
}

/** A page that the user is asked to open. */
export interface UrlQuestion {
  /** Always `"url"`. */
  readonly kind: "url";
  /** Why it is to be opened, for the user. */
  readonly message: string;
  /** Where the page is. */
  readonly url: string;
}

/** One message of a conversation with a model. */
export interface SampledMessage {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** What is said: content blocks as the protocol writes them. */
  readonly content: JsonObject | readonly JsonObject[];
}

/** What the client's model is asked to write. */
export interface SamplingOptions {
  /** The most tokens of the answer. */
  readonly maxTokens: number;
  /** What the model is told first. Default: nothing. */
  readonly systemPrompt?: string;
  /** How freely it writes. Default: the client's. */
  readonly temperature?: number;
  /** Texts that end the answer. Default: none. */
  readonly stopSequences?: readonly string[];
  /** Which model is preferred: hints and priorities. Default: the client's choice. */
  readonly modelPreferences?: JsonObject;
}

/** A completion asked of the client's model. */
export interface SamplingQuestion extends SamplingOptions {
  /** Always `"sampling"`. */
  readonly kind: "sampling";
  /** The conversation so far. */
  readonly messages: readonly SampledMessage[];
}

/** The folders that the client works on. */
export interface RootsQuestion {
  /** Always `"roots"`. */
  readonly kind: "roots";
}

/** Anything that can be asked. */
export type Question = FormQuestion | UrlQuestion | SamplingQuestion | RootsQuestion;

/** Questions by name; the name is what the answer is found under. */
export type Questions = Readonly<Record<string, Question>>;

/** The builders of questions. */
export interface QuestionBuilders {
  /**
   * A form. Never ask for a secret in one: use `url` for that.
   *
   * @param message Why it is asked, for the user.
   * @param fields The fields, each a `param.*` of a plain value, of choices, or a list of choices.
   */
  form<const Fields extends Parameters>(message: string, fields: Fields): FormQuestion<Fields>;
  /**
   * A page that the user is asked to open, for what must not pass through the client. The answer says
   * that the user agreed to open it, not that anything was done there, and the address grants
   * nothing by itself: whoever opens it has to prove who they are (B21).
   *
   * @param message Why it is to be opened, for the user.
   * @param url An `https:` address, or `http:` on this machine, without a password.
   * @throws {TypeError} for any other address.
   */
  url(message: string, url: string): UrlQuestion;
  /** A completion by the client's model; a text is what the user says. */
  sampling(
    messages: string | readonly SampledMessage[],
    options: SamplingOptions,
  ): SamplingQuestion;
  /** The folders that the client works on. */
  roots(): RootsQuestion;
}

/**
 * Builds questions for `ask` in the pool of an operation.
 *
 * @example
 * ```ts
 * import { param, question } from "@limen/mcp/kernel";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const size = question.form("Which size?", {
 *   size: param.string({ choices: ["S", "M", "L"], required: true }),
 * });
 * assertEquals(size.kind, "form");
 * assertThrows(() => question.url("Sign in.", "http://example.com/"), TypeError, "https");
 * ```
 */
export const question: QuestionBuilders = {
  form: (message, fields) => ({ kind: "form", message, fields }),
  url: (message, url) => ({ kind: "url", message, url: checkUrl(url) }),
  sampling: (messages, options) => ({
    kind: "sampling",
    messages: typeof messages === "string"
      ? [{ role: "user", content: { type: "text", text: messages } }]
      : messages,
    ...options,
  }),
  roots: () => ({ kind: "roots" }),
};

function checkUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isSecure = parsed !== undefined && parsed.username === "" && parsed.password === "" &&
    (parsed.protocol === "https:" || (parsed.protocol === "http:" && isLoopback(parsed.hostname)));
  if (isSecure) return url;
  throw new TypeError("Cannot ask to open a URL: it must be https, or http on this machine");
}
