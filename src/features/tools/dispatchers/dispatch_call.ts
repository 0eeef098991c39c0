import { prepareCall } from "../../../kernel/prepare_call.ts";
import { andThen, type Awaitable } from "../../../ports/awaitable.ts";
import { errorResult } from "../../../present/error_result.ts";
import { ErrorCode } from "../../../protocol/error_code.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { boundTool } from "../bound_tool.ts";
import { complete, type Outcome } from "../../outcome.ts";
import type { Registry } from "../../registry.ts";
import { invalidArguments } from "../tool_error.ts";
import type { ToolBinding } from "../tool_binding.ts";
import { findOmission } from "../tool_filter.ts";
import type { ToolRunner } from "../tool_runner.ts";
import { createHelp, type HelpOptions } from "./create_help.ts";
import { HELP } from "./help_name.ts";
import { unknownTool } from "./unknown_tool.ts";

/** How a dispatcher goes on. */
export interface DispatchOptions extends HelpOptions {
  /** Calls the tool behind it, by everything that stands before that tool. */
  readonly run: ToolRunner;
}

/** Refusals that tell a caller whom nothing was listed to that there is something. */
const TELLING: readonly number[] = [
  ErrorCode.insufficientPermission,
  ErrorCode.missingClientCapability,
];

/**
 * Makes what calls a dispatcher: its arguments name a tool behind it, which is called as if it had
 * been named itself. Gate, limits, deadline and refusals are that tool's, and its alone.
 */
export function createDispatch(
  registry: Registry<ToolBinding>,
  { run, ...options }: DispatchOptions,
): ToolRunner {
  const help = createHelp(registry, options);
  return (dispatcher, args, call) => {
    const { problems, reads } = prepareCall(dispatcher.operation, call, args);
    if (problems !== undefined) {
      return complete(errorResult(invalidArguments(dispatcher, problems, args)));
    }
    const { tool: name, params = {}, verify } = reads as unknown as DispatcherArguments;
    if (name === HELP) return boundTool(dispatcher, call, help(dispatcher, params, call));
    const tool = registry.get(name);
    if (tool?.dispatcher !== dispatcher.name) return unknownTool(name);
    const sent = verify === undefined ? params : { ...params, ...verifyFor(tool, verify) };
    return andThen(run(tool, sent, call), (outcome): Awaitable<Outcome> => {
      if (outcome.type !== "error" || !TELLING.includes(outcome.error.code)) return outcome;
      return andThen(
        findOmission(tool, call, options),
        (omission) => omission === undefined ? outcome : unknownTool(name),
      );
    });
  };
}

/** What a dispatcher takes, once it is checked. */
interface DispatcherArguments {
  readonly tool: string;
  readonly params?: JsonObject;
  readonly verify?: boolean;
}

/** It is about writes, under the name that each has for it; for anything else it is dropped (W-43). */
function verifyFor({ negotiation }: ToolBinding, verify: boolean): JsonObject {
  const key = negotiation?.verifyKey;
  return key === undefined ? {} : { [key]: verify };
}
