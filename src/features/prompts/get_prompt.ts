import { andThen } from "../../ports/awaitable.ts";
import { serialize } from "../../present/serialize.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { Method } from "../call.ts";
import { complete, failure, invalidParams, type Outcome } from "../outcome.ts";
import { quoteName } from "../quote_name.ts";
import type { Registry } from "../registry.ts";
import { runBinding } from "../run_binding.ts";
import type { PromptBinding } from "./prompt_binding.ts";
import { writeMessages } from "./prompt_messages.ts";

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/**
 * Makes `prompts/get`: look-up ▸ gate ▸ arguments ▸ render (P-3, Q-10).
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt}
 */
export function createGetPrompt(registry: Registry<PromptBinding>): Method {
  return (call) => {
    const { name } = call.params;
    const args = call.params.arguments ?? NO_ARGUMENTS;
    if (typeof name !== "string") return invalidParams("Invalid params: name must be a string");
    if (!isJsonObject(args) || !Object.values(args).every((one) => typeof one === "string")) {
      return invalidParams("Invalid params: arguments must be an object of strings");
    }
    const prompt = registry.get(name);
    if (prompt === undefined) return invalidParams(`Unknown prompt: ${quoteName(name)}`);
    return andThen(runBinding(prompt, call, args), (result): Outcome => {
      if (result.type === "error" || result.type === "input_required") return result;
      if (result.type === "value") return present(prompt, result.value);
      return result.message === undefined ? present(prompt, null) : invalidParams(result.message);
    });
  };
}

function present({ name, description }: PromptBinding, value: unknown): Outcome {
  const messages = writeMessages(value);
  if (messages === undefined) {
    return failure(
      ErrorCode.internalError,
      `Prompt "${name}" must render a text, a message with role and content, or a list of those`,
    );
  }
  const words = description === undefined ? "" : `,"description":${serialize(description)}`;
  return complete({ members: `"messages":${messages}${words}` });
}
