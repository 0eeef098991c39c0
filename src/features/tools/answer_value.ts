import type { Prepared, ValueResult } from "../../kernel/operation.ts";
import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import { extractEnvelope, type LeanWrite } from "../../present/lean_envelope.ts";
import { presentJson, presentResult } from "../../present/present_result.ts";
import { writeProbe } from "../../present/probe.ts";
import type { ResultText } from "../../present/result_text.ts";
import { serialize } from "../../present/serialize.ts";
import { ToolResult } from "../../present/tool_result.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import { findDeleted } from "./find_deleted.ts";
import type { Negotiation } from "./negotiation.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * How much is answered: as little as the tool can; as little as it can without a token, which would
 * expire before a task is polled; or everything.
 */
export type AnswerStyle = "lean" | "tokenless" | "whole";

/** One call that ended with a value. */
export interface Answering {
  /** What was called. */
  readonly tool: ToolBinding;
  /** How it answers. */
  readonly negotiation: Negotiation;
  /** The call. */
  readonly prepared: Prepared;
  /** What the caller sent. */
  readonly sent: JsonObject;
  /** How much is answered. */
  readonly style: AnswerStyle;
}

/** Presents the value of a call: all of it, or what its caller needs of it (W-10, HV-1, HV-5). */
export function answerValue(result: ValueResult, answering: Answering): Awaitable<ResultText> {
  return isAnsweredWhole(result, answering)
    ? presentResult(result, answering.tool.presentation)
    : new Answer(result, answering).present();
}

/** What is asked for in full, built by hand, or nothing at all (W-42, X-14). */
function isAnsweredWhole(
  { value, isNothing = false }: ValueResult,
  { negotiation: { verifyKey, write }, prepared, style }: Answering,
): boolean {
  return style === "whole" || value instanceof ToolResult ||
    (verifyKey !== undefined && prepared.extras[verifyKey] === true) ||
    (isNothing && write?.action !== "delete");
}

/** One answer in the making: its value is written as JSON once. */
class Answer {
  readonly #tool: ToolBinding;
  readonly #negotiation: Negotiation;
  readonly #result: ValueResult;
  readonly #answering: Answering;
  readonly #value: unknown;
  readonly #json: string;
  #countedBytes: number | undefined;

  constructor(result: ValueResult, answering: Answering) {
    this.#tool = answering.tool;
    this.#negotiation = answering.negotiation;
    this.#result = result;
    this.#answering = answering;
    this.#value = result.isNothing === true ? {} : result.value;
    this.#json = serialize(this.#value);
  }

  present(): Awaitable<ResultText> {
    const { isHeavy, write } = this.#negotiation;
    if (write?.action === "delete") return this.#lean(write, false); // nothing is left to be read
    if (isHeavy || this.#isOverBound()) return this.#probe();
    return write === undefined ? this.#whole() : this.#lean(write, true);
  }

  /** The heavy probe goes before the lean envelope (W-4). */
  async #probe(): Promise<ResultText> {
    const { write, slot } = this.#negotiation;
    const token = await this.#keep();
    if (token === undefined || slot === undefined) {
      return write === undefined ? this.#whole() : await this.#lean(write, false);
    }
    const probe = writeProbe({ value: this.#value, dataSize: this.#dataSize, token, slot });
    return presentJson(probe, this.#tool.presentation);
  }

  /** A deletion is told; else a token, else identifiers, else everything (W-10). */
  #lean(write: LeanWrite, mayKeep: boolean): Awaitable<ResultText> {
    const { presentation } = this.#tool;
    const { sent } = this.#answering;
    const envelope = extractEnvelope({
      ...write,
      value: this.#value,
      dataSize: this.#dataSize,
      sent,
      findDeleted: () => findDeleted(this.#tool.operation, this.#result.written, sent),
    });
    if (envelope.isDelete) return presentJson(`${envelope.open}}`, presentation);
    const token = mayKeep && this.#negotiation.slot !== undefined ? this.#keep() : undefined;
    return andThen(token, (kept) => {
      const close = kept === undefined
        ? envelope.closeWithIds()
        : `,"continuation_token":${JSON.stringify(kept)}}`;
      return close === undefined ? this.#whole() : presentJson(envelope.open + close, presentation);
    });
  }

  /** The value as it is; what was written already is not written again, unless it is no JSON there. */
  #whole(): Awaitable<ResultText> {
    const { presentation } = this.#tool;
    return typeof this.#value === "string" || presentation.text !== undefined
      ? presentResult(this.#result, presentation)
      : presentJson(this.#json, presentation);
  }

  #isOverBound(): boolean {
    const { probeAboveBytes } = this.#negotiation;
    if (probeAboveBytes === null || this.#json.length * 3 <= probeAboveBytes) return false;
    return this.#dataSize > probeAboveBytes;
  }

  /** Bytes of the full result (W-28), counted at most once. */
  get #dataSize(): number {
    return this.#countedBytes ??= this.#negotiation.continuing.countBytes(this.#json);
  }

  async #keep(): Promise<string | undefined> {
    const { prepared: { context, reads }, style } = this.#answering;
    if (style === "tokenless") return undefined;
    const isRow = this.#negotiation.write !== undefined && isJsonObject(this.#value);
    const kept = { tool: this.#tool.name, args: reads, isRow, json: this.#json };
    const { caller, log } = context;
    return await this.#negotiation.continuing.keep(kept, { caller, log, dataSize: this.#dataSize });
  }
}
