import { canonicalJson } from "../ports/canonical_json.ts";
import { ConfigurationError } from "../ports/configuration_error.ts";
import { type JsonObject, ownValue } from "../protocol/json.ts";
import { readAnswer } from "./answer.ts";
import {
  ADDITIONAL_INPUT,
  type Ask,
  type Asked,
  type AskOptions,
  CONFIRM,
  type Confirm,
  type Given,
} from "./ask.ts";
import type { CallContext } from "./call_context.ts";
import { InputRefused, InputRequired, NobodyToAsk } from "./input_required.ts";
import type { Question, Questions } from "./question.ts";

/**
 * Asks on behalf of one run: reads what was given, and ends the run by throwing where something is
 * missing. Made only for a run that asks.
 */
export class Asker {
  /** The pool's `ask`. */
  readonly ask: Ask;
  readonly #given: Given | undefined;
  readonly #canAsk: CallContext["canAsk"];
  readonly #asked = new Map<string, Question>();
  readonly #answers: Record<string, JsonObject> = Object.create(null);
  /** Consents that no effect of this run has used yet. */
  readonly #unused: string[];
  readonly #used: string[] = [];
  #confirmation: Given["confirmation"];
  #ending: Error | undefined;

  /** @param context Whom to ask, and what was given. */
  constructor({ canAsk, input }: Pick<CallContext, "canAsk" | "input">) {
    this.#given = input;
    this.#canAsk = canAsk;
    this.#unused = [...input?.consents ?? []];
    this.#confirmation = input?.confirmation;
    const ask = (questions: Questions, options?: AskOptions) => this.#askAll(questions, options);
    this.ask = Object.assign(ask, { state: input?.state }) as Ask;
  }

  #askAll(questions: Questions, { state }: AskOptions = {}): object {
    const read: Record<string, unknown> = {};
    const missing: [string, Question][] = [];
    for (const [name, question] of Object.entries(questions)) {
      this.#note(name, question);
      const given = this.#given && ownValue(this.#given.answers, name) as JsonObject | undefined;
      const answer = given && readAnswer(question, given);
      if (answer === undefined) missing.push([name, question]);
      else {
        read[name] = answer;
        this.#answers[name] = given!;
      }
    }
    const askable = missing.filter(([, question]) => this.#canAsk?.(question) === true);
    if (askable.length > 0) throw this.#end({ questions: Object.fromEntries(askable), state });
    if (missing.length === 0) return read;
    if (missing.length === Object.keys(questions).length) {
      throw new NobodyToAsk(missing.map(([, question]) => question));
    }
    for (const [name] of missing) read[name] = { action: "unasked" };
    return read;
  }

  /** A name stands for one question, or an answer to one would be taken for that to another. */
  #note(name: string, question: Question): void {
    if (name === CONFIRM || name === ADDITIONAL_INPUT || name === "__proto__") {
      throw new ConfigurationError(`Cannot ask "${name}": the name is reserved`);
    }
    const before = this.#asked.get(name);
    const isSame = before === undefined || messageOf(before) === messageOf(question);
    if (!isSame) {
      throw new ConfigurationError(`Cannot ask "${name}": it is another question already`);
    }
    this.#asked.set(name, question);
  }

  /** Why the run must end, whatever its code makes of the error that it was thrown. */
  get ending(): Error | undefined {
    return this.#ending;
  }

  /**
   * The pool's `confirm`. Where this effect was not agreed to it throws at once, so that code which does
   * not wait for it goes no further either.
   */
  readonly confirm: Confirm = (message, effect) => {
    const text = canonicalJson([message, effect]);
    const known = this.#unused.indexOf(text);
    if (known >= 0) this.#unused.splice(known, 1);
    else {
      const confirmation = this.#confirmation;
      if (confirmation?.effect !== text) throw this.#endConfirm(message, text);
      this.#confirmation = undefined;
      if (confirmation.action !== "accept") {
        const refused = new InputRefused(confirmation.action, message);
        this.#ending ??= refused;
        throw refused;
      }
    }
    this.#used.push(text);
    return Promise.resolve();
  };

  /** Called before the work of a callable counts as done, which may have caught what should have ended it. */
  settle(): void {
    if (this.#ending !== undefined) throw this.#ending;
  }

  #endConfirm(message: string, effect: string): InputRequired | NobodyToAsk {
    const question: Question = { kind: "form", message, fields: {} };
    if (this.#canAsk?.(question) === true) {
      return this.#end({ questions: { [CONFIRM]: question }, effect });
    }
    const nobody = new NobodyToAsk([question]);
    this.#ending ??= nobody;
    return nobody;
  }

  #end(asked: Pick<Asked, "effect" | "questions" | "state">): InputRequired {
    const { state = this.#given?.state, ...rest } = asked;
    const answers = { ...this.#answers };
    const ending = new InputRequired({ ...rest, answers, consents: [...this.#used], state });
    this.#ending ??= ending;
    return ending;
  }
}

function messageOf(question: Question): string {
  return "message" in question ? question.message : question.kind;
}
