import { readAskingOptions } from "../features/elicitation/asking_options.ts";
import type { InputRequiredOutcome } from "../features/elicitation/ask_back.ts";
import { receiveAnswers, type Received } from "../features/elicitation/pending.ts";
import { readResponses } from "../features/elicitation/read_responses.ts";
import { RequestStates, type StateOwner } from "../features/elicitation/request_states.ts";
import type { Call } from "../features/call.ts";
import { invalidState } from "../features/invalid_state.ts";
import { type ErrorOutcome, invalidParams, type Outcome } from "../features/outcome.ts";
import type { LimitContext } from "../gate/charge_limits.ts";
import { toFault } from "../methods/run_method.ts";
import { createKeyRing, createProcessSecret } from "../ports/key_ring.ts";
import type { Logger } from "../ports/logger.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Settings } from "../settings.ts";

/** The methods that may ask (MRTR, "Supported Requests"). */
const ASKING: ReadonlySet<string> = new Set(["prompts/get", "resources/read", "tools/call"]);

/**
 * The rounds of a call that asks, as requests have them: each is a request of its own, so what was
 * kept comes sealed with the answers. Only here is a state opened and sealed; what runs takes answers
 * as plain input and ends with an outcome, whatever brought the call.
 */
export class Rounds {
  /** How many rounds of questions a call may ask. */
  readonly maxRounds: number;
  readonly #states: RequestStates;
  readonly #asksAgain: boolean;
  readonly #log: Logger;

  /** @throws {ConfigurationError} when an option is wrong. */
  constructor(settings: Settings, { store, now }: LimitContext, log: Logger) {
    const { name: server, publicUrl, secret } = settings;
    const { ttlMs, maxRounds, invalidState, encrypt, singleProcess } = readAskingOptions(
      settings.requestState,
    );
    const source = secret ?? (singleProcess ? createProcessSecret() : undefined);
    const keys = { purpose: "request state", server, publicUrl, encrypts: encrypt };
    const sealerFor = source === undefined ? undefined : createKeyRing(source, keys);
    this.maxRounds = maxRounds;
    this.#states = new RequestStates({ sealerFor, store, ttlMs, now });
    this.#asksAgain = invalidState === "askAgain";
    this.#log = log;
  }

  /** Whether a request brings answers. Nothing else is asked of one that does not. */
  isAnswered(method: string, { inputResponses, requestState }: JsonObject): boolean {
    return (inputResponses !== undefined || requestState !== undefined) && ASKING.has(method);
  }

  /**
   * Takes the answers of a request.
   *
   * @returns The input of the run; why there is none: malformed answers, or a state that is not for this
   * caller and call; or `undefined` where such a state counts as none, so that the call begins anew.
   */
  async receive(owner: StateOwner): Promise<Received | ErrorOutcome | undefined> {
    const { inputResponses = {}, requestState } = owner.params;
    const responses = readResponses(inputResponses);
    if (responses === undefined) {
      return invalidParams("Invalid params: inputResponses must map names to responses");
    }
    if (requestState === undefined || requestState === null) return receiveAnswers(responses);
    const opened = typeof requestState === "string"
      ? await this.#states.open(requestState, owner)
      : "It is no text";
    if (typeof opened !== "string") {
      let isUnused: Promise<boolean> | undefined; // the tool and the run may both ask
      const redeem = () => isUnused ??= opened.redeem();
      return { ...receiveAnswers(responses, opened.pending), redeem };
    }
    const refused = invalidState({ ...owner, log: this.#log }, opened);
    return this.#asksAgain ? undefined : refused;
  }

  /** Completes the outcome of a request that asks: seals what the next round needs. */
  async seal(outcome: InputRequiredOutcome, call: Call): Promise<Outcome> {
    try {
      const requestState = await this.#states.seal(outcome.pending, call);
      return requestState === undefined ? outcome : { ...outcome, requestState };
    } catch (cause) {
      return toFault(call, cause);
    }
  }
}
