import type { Asked } from "./ask.ts";
import type { Question } from "./question.ts";
import { ServiceError } from "./service_error.ts";

/** Ends a run that has to ask first. Not an error of anybody: it is never told as one. */
export class InputRequired extends Error {
  /** Always `"InputRequired"`. */
  override readonly name = "InputRequired" as const;
  /** What is asked. */
  readonly asked: Asked;

  /** @param asked What is asked. */
  constructor(asked: Asked) {
    super("The run waits for answers, and must not go on");
    this.asked = asked;
  }
}

/** A run has to ask, and nobody can be asked. */
export class NobodyToAsk extends ServiceError {
  /** Always `"NobodyToAsk"`. */
  override readonly name: string = "NobodyToAsk";
  /** What would have been asked. */
  readonly questions: readonly Question[];

  /** @param questions What would have been asked. */
  constructor(questions: readonly Question[]) {
    const messages = questions.flatMap((one) => "message" in one ? [one.message] : []);
    const words = messages.length === 0 ? "" : `: ${messages.join(" ")}`;
    super(`This needs an answer, and this client cannot be asked${words}`);
    this.questions = questions;
  }
}

/** The user was asked to agree to an effect, and did not. */
export class InputRefused extends ServiceError {
  /** Always `"InputRefused"`. */
  override readonly name: string = "InputRefused";
  /** What the user did. */
  readonly action: "decline" | "cancel";

  /**
   * Says that the user did not agree.
   *
   * @param action What the user did.
   * @param message What the user was asked.
   */
  constructor(action: "decline" | "cancel", message?: string) {
    const did = action === "decline" ? "The user declined" : "The user dismissed the question";
    super(message === undefined ? did : `${did}: ${message}`);
    this.action = action;
  }
}

/** What a caller sent to be used once was used before. */
export class InputSpent extends ServiceError {
  /** Always `"InputSpent"`. */
  override readonly name: string = "InputSpent";
}
