import { InputRefused } from "../../kernel/input_required.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import { errorResult } from "../../present/error_result.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import type { Received } from "../elicitation/pending.ts";
import { invalidState } from "../invalid_state.ts";
import { complete, type Outcome } from "../outcome.ts";
import { inputRefused } from "./tool_error.ts";
import type { ToolBinding } from "./tool_binding.ts";

/**
 * The arguments of a call with those that were asked for over them, so that the check, the permissions
 * and the service see them as one (K-23, E-12). What the server fills still wins.
 */
export function withAnswers(
  { operation }: ToolBinding,
  args: JsonObject,
  { arguments: answered }: Received,
): JsonObject {
  return operation.spec.kind === "service" ? { ...args, ...answered } : args;
}

/**
 * Goes on with an admitted and charged call that brings answers: a user who gave none ends it, and an
 * answer that works once is used up before anything runs (E-14, B8).
 */
export function resumeTool(
  tool: ToolBinding,
  input: Received,
  call: Call,
  run: () => Awaitable<Outcome>,
): Awaitable<Outcome> {
  const { refusal, redeem } = input;
  const goOn = (): Awaitable<Outcome> =>
    refusal === undefined || tool.operation.spec.kind !== "service"
      ? run()
      : complete(errorResult(inputRefused(new InputRefused(refusal))));
  if (!tool.isSingleUse) return goOn();
  if (redeem === undefined) return invalidState(call, "The answers came without their state");
  return redeem().then((isUnused) => isUnused ? goOn() : invalidState(call, "It was used before"));
}
