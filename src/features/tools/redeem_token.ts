import { admit } from "../../gate/admit.ts";
import { askOperation } from "../../kernel/prepare_call.ts";
import { recheckCaller } from "../../kernel/recheck_caller.ts";
import type { Awaitable } from "../../ports/awaitable.ts";
import type { ContinuationSettings } from "../../present/continuation_options.ts";
import { type ContinuationView, viewContinuation } from "../../present/continuation_modes.ts";
import { errorResult } from "../../present/error_result.ts";
import { presentResult } from "../../present/present_result.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { compileParameters } from "../../schema/check_arguments.ts";
import { Problems } from "../../schema/problems.ts";
import type { Call } from "../call.ts";
import { complete, type Outcome } from "../outcome.ts";
import { refusedByGate } from "../refused_by_gate.ts";
import type { Registry } from "../registry.ts";
import { limitResult } from "./limit_result.ts";
import { negotiationParameters } from "./negotiation_parameters.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { invalidArguments } from "./tool_error.ts";

/** Reads a kept result for a call that brings a token. */
export type Redeem = (tool: ToolBinding, args: JsonObject, call: Call) => Awaitable<Outcome>;

/** The one refusal of every token that is not served, whatever the reason (HV-28). */
const REFUSAL = "The continuation token is not valid, or no longer: read what you need anew, " +
  "and never repeat a write for its answer";

/**
 * Makes what serves tokens: the tool that gave a token is asked for anew, with its scopes, its
 * permissions and its limits, and the arguments of then (HV-27, Q-31). Nothing runs.
 *
 * @param registry The tools whose tokens there may be.
 */
export function createRedeem(registry: Registry<ToolBinding>): Redeem {
  const { continuation_token, ...rest } = negotiationParameters();
  const parameters = { continuation_token: { ...continuation_token, required: true }, ...rest };
  const check = compileParameters(parameters, { unknownArguments: "ignore", where: "a token" });
  return async (tool, args, call) => {
    const problems = new Problems();
    const asked = check(args, problems);
    if (problems.size > 0) return complete(errorResult(invalidArguments(tool, problems, args)));
    const { redeems, continuing } = tool.negotiation!;
    const kept = await continuing.find(asked.continuation_token as string, call);
    const giver = kept && (redeems === "all" ? registry.get(kept.tool) : own(tool, kept.tool));
    const { gate, operation } = giver ?? tool;
    const denied = await admit(
      gate,
      call,
      () => giver ? recheckCaller(operation, call, kept!.args) : askOperation(operation, call, {}),
    );
    if (denied?.retryAfter !== undefined) return refusedByGate(denied, operation, call.log);
    if (kept === undefined || giver === undefined || denied !== undefined) {
      const because = denied?.because ??
        (kept === undefined ? "Nothing is kept" : "Another tool's");
      return refuse(tool, because, call);
    }
    const value = viewContinuation(
      JSON.parse(kept.json),
      kept.isRow,
      viewOf(asked, continuing.settings),
    );
    const { presentation } = tool;
    const how = { ...presentation, text: undefined, hasOutput: giver.presentation.hasOutput };
    return complete(limitResult(tool, await presentResult({ value }, how), call.log));
  };
}

function own(tool: ToolBinding, name: string): ToolBinding | undefined {
  return name === tool.name ? tool : undefined;
}

function refuse({ name }: ToolBinding, because: string, { log }: Call): Outcome {
  log.info?.({
    level: "info",
    event: "continuation.refused",
    message: "A continuation token was refused",
    fields: { tool: name, because },
  });
  return complete(errorResult({ type: "continuation_invalid", message: REFUSAL }));
}

/** A page out of range is the nearest there is. */
function viewOf(
  asked: Readonly<Record<string, unknown>>,
  settings: ContinuationSettings,
): ContinuationView {
  const { mode = "paginated", page = 1, page_size = settings.pageSize, filter_keys = [] } =
    asked as {
      readonly mode?: ContinuationView["mode"];
      readonly page?: number;
      readonly page_size?: number;
      readonly filter_keys?: readonly string[];
    };
  return {
    mode,
    page: Math.max(page, 1),
    pageSize: Math.min(Math.max(page_size, 1), settings.maxPageSize),
    filterKeys: filter_keys,
  };
}
