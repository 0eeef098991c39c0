import type { JsonObject } from "../protocol/json.ts";
import type { Answers } from "./answer.ts";
import type { Question, Questions } from "./question.ts";

/** How questions are asked. */
export interface AskOptions {
  /**
   * What the next run finds as `ask.state`, as JSON: something worked out that need not be worked out
   * again. It travels with the questions and cannot be changed on the way; it can be read, unless the
   * server encrypts it. Default: what it was.
   */
  readonly state?: unknown;
}

/**
 * Asks whoever calls. Returns the answers once they are all there; until then it ends the run, also
 * where its code catches what is thrown. The run starts again from the top when the answers arrive:
 * nothing before the question may have an effect.
 */
export interface Ask {
  /**
   * Asks several questions at once.
   *
   * @param questions By name. A name stands for one question during a call, however often it is asked.
   * @returns The answers, by name. A question that the client cannot be asked is `"unasked"`, as long
   * as it was asked another.
   */
  <const Q extends Questions>(questions: Q, options?: AskOptions): Answers<Q>;
  /** What the author kept when last asking; `undefined` in the first run. */
  readonly state: unknown;
}

/**
 * Asks the user to agree to one effect, in a way that no argument can stand in for. Resolves only once
 * the user has agreed to this very effect, and then once; in every other case it throws at once, and the
 * call ends, also where its code catches what is thrown. Where a no has to be dealt with, `ask`.
 *
 * @param message What will happen, for the user.
 * @param effect What will be done, as JSON: what is deleted, to whom how much is paid. When it comes
 * out differently after the user has agreed, the user is asked again.
 */
export type Confirm = (message: string, effect: unknown) => Promise<void>;

/** What earlier rounds of a call came to, as plain input of the next run. */
export interface Given {
  /** Answers by question; none is checked against its question yet. */
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** The effects that the user agreed to in earlier rounds, as text. */
  readonly consents: readonly string[];
  /** What the user said of the effect that was asked about last. */
  readonly confirmation?: {
    /** The effect, as text. */
    readonly effect: string;
    /** What the user said. */
    readonly action: "accept" | "decline" | "cancel";
  };
  /** What the author kept. */
  readonly state?: unknown;
  /**
   * Uses up what was given, so that it works only once; asked before anything runs that the user has
   * agreed to.
   *
   * @returns Whether it was unused.
   */
  readonly redeem?: () => Promise<boolean>;
}

/** What a run asks for before it can go on, and what it has made of the answers so far. */
export interface Asked {
  /** The questions, all of which the client can be asked. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The answers that this run has read, by question. */
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** The effects that the user has agreed to, as text. */
  readonly consents: readonly string[];
  /** The effect that the user is asked to agree to, as text. */
  readonly effect?: string;
  /** What the author keeps. */
  readonly state?: unknown;
}

/** The name of the question that `confirm` asks. */
export const CONFIRM = "confirm";

/** The name of the question that `AdditionalInputRequired` asks (E-5). */
export const ADDITIONAL_INPUT = "additionalInput";
