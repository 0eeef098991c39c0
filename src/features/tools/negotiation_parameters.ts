import { CONTINUATION_MODES } from "../../present/continuation_modes.ts";
import type { Parameter } from "../../schema/parameter.ts";
import { param } from "../../schema/param.ts";

/** The arguments of a call that reads a kept result. */
export type NegotiationName =
  | "continuation_token"
  | "filter_keys"
  | "mode"
  | "page"
  | "page_size";

/** The arguments by which a kept result is read (HV-10). */
export function negotiationParameters(): Readonly<Record<NegotiationName, Parameter>> {
  return {
    continuation_token: param.string({
      help: "From an earlier answer, at the top level: reads its result again, and runs nothing.",
    }),
    mode: param.string({
      choices: CONTINUATION_MODES,
      help: "With a token, how much: a page by default; full is everything.",
    }),
    page: param.integer({ help: "With a token, which page, from 1." }),
    page_size: param.integer({ help: "With a token, rows of a page." }),
    filter_keys: param.array(param.string(), {
      help: "With a token and mode filtered, the fields to keep.",
    }),
  };
}
