import { type Awaitable, isThenable } from "../../ports/awaitable.ts";
import { errorResult } from "../../present/error_result.ts";
import { boundOutcome } from "../bound_outcome.ts";
import type { Call } from "../call.ts";
import { complete, type Outcome } from "../outcome.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** Bounds the call of a tool by the deadline of the tool (H-71). */
export function boundTool<T>(
  { name, dispatchTimeoutMs: ms }: ToolBinding,
  call: Call,
  outcome: Awaitable<T>,
): Awaitable<T | Outcome> {
  if (ms === null || !isThenable(outcome)) return outcome;
  const onExpiry = (): Outcome => {
    const message = `${name} took longer than ${ms} ms: ask for less, or try again later`;
    return complete(errorResult({ type: "timeout", message }));
  };
  return boundOutcome(outcome, call, ms, { called: { tool: name }, onExpiry });
}
