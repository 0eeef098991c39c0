import { admit, notPermitted } from "../../gate/admit.ts";
import type { CallContext } from "../../kernel/call_context.ts";
import type { Prepared, RunResult } from "../../kernel/operation.ts";
import { askCaller, explainProblems, prepareCall } from "../../kernel/prepare_call.ts";
import { runCall } from "../../kernel/run_call.ts";
import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import { quoteName } from "../quote_name.ts";
import { errorResult } from "../../present/error_result.ts";
import { presentResult } from "../../present/present_result.ts";
import type { ResultText } from "../../present/result_text.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { Call, Method } from "../call.ts";
import { missingCapabilities } from "../missing_capability.ts";
import { complete, failure, invalidParams, type Outcome } from "../outcome.ts";
import { ON_THE_ROW, refusedByGate } from "../refused_by_gate.ts";
import type { Registry } from "../registry.ts";
import { boundTool } from "./bound_tool.ts";
import { checkMirrored } from "./check_mirrored.ts";
import { createDispatch } from "./dispatchers/dispatch_call.ts";
import type { HelpOptions } from "./dispatchers/create_help.ts";
import { limitResult } from "./limit_result.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { dropServerArguments } from "./server_arguments.ts";
import { refusedShape } from "./shape_error.ts";
import { invalidArguments, refusedByService } from "./tool_error.ts";
import { warnOfLookalike } from "./warn_of_lookalike.ts";

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/**
 * Makes `tools/call`: look-up ▸ mirrored headers ▸ gate ▸ client capabilities ▸ arguments ▸ run ▸
 * present ▸ ceiling (T-30). A dispatcher looks up once more, and goes on with the tool it found.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools}
 */
export function createCallTool(registry: Registry<ToolBinding>, options: HelpOptions): Method {
  const dispatch = createDispatch(registry, { ...options, run: callOne });
  return (call) => {
    const { name } = call.params;
    const args = call.params.arguments ?? NO_ARGUMENTS;
    if (typeof name !== "string") return invalidParams("Invalid params: name must be a string");
    if (!isJsonObject(args)) return invalidParams("Invalid params: arguments must be an object");
    const tool = registry.get(name);
    if (tool === undefined || tool.dispatcher !== undefined) {
      return invalidParams(`Unknown tool: ${quoteName(name)}`);
    }
    return tool.dispatches === undefined ? callOne(tool, args, call) : dispatch(tool, args, call);
  };
}

/** Calls a tool, however it was found. */
function callOne(tool: ToolBinding, args: JsonObject, call: Call): Awaitable<Outcome> {
  return refuseMirrored(tool, args, call) ?? boundTool(tool, call, admitAndRun(tool, args, call));
}

/** What the request itself must bring, before anyone is asked. */
function refuseMirrored(tool: ToolBinding, args: JsonObject, call: Call): Outcome | undefined {
  if (tool.mirrored.length === 0 || !call.mirrorsArguments) return undefined;
  return call.request && checkMirrored(tool.mirrored, args, call.request);
}

/** What the client must be able to do; who may not call does not hear of it. */
function refuseIncapable(tool: ToolBinding, call: Call): Outcome | undefined {
  if (tool.requiresClient === undefined) return undefined;
  const missing = missingCapabilities(tool.requiresClient, call.clientCapabilities);
  if (missing === undefined) return undefined;
  return failure(
    ErrorCode.missingClientCapability,
    "Missing required client capability",
    { requiredCapabilities: missing },
  );
}

function admitAndRun(tool: ToolBinding, args: JsonObject, call: Call): Awaitable<Outcome> {
  const prepared = prepareTool(tool, args, call);
  return andThen(
    admit(tool.gate, call, () => askCaller(prepared)),
    (denied) =>
      denied === undefined
        ? refuseIncapable(tool, call) ?? runTool(tool, prepared, args)
        : refusedByGate(denied, tool.operation, call.log),
  );
}

/** Checks the arguments, those of the server in place of a caller's (K-42). */
export function prepareTool(tool: ToolBinding, args: JsonObject, context: CallContext): Prepared {
  const { operation, bound, name } = tool;
  if (bound === undefined) return prepareCall(operation, context, args);
  const sent = dropServerArguments(bound, args, name, context.log);
  return prepareCall(operation, context, sent, bound.values);
}

/** Runs an admitted call, and presents what it comes to. */
export function runTool(
  tool: ToolBinding,
  prepared: Prepared,
  args: JsonObject,
): Awaitable<Outcome> {
  const { context: { log }, problems } = prepared;
  const result = problems === undefined ? runCall(prepared) : explainProblems(prepared);
  return andThen<RunResult, Outcome>(result, (ended) => {
    if (ended.type === "denied") {
      return refusedByGate(notPermitted(ON_THE_ROW), tool.operation, log);
    }
    if (ended.type === "value") warnOfLookalike(tool, ended.value, log);
    return andThen(
      present(tool, ended, args),
      (presented) => complete(limitResult(tool, presented, log)),
    );
  });
}

/** Says how the run ended, in the words of a tool result (T-40). */
function present(
  tool: ToolBinding,
  result: Exclude<RunResult, { readonly type: "denied" }>,
  args: JsonObject,
): ResultText | Promise<ResultText> {
  switch (result.type) {
    case "value":
      return presentResult(result, tool.presentation);
    case "invalid":
      return errorResult(invalidArguments(tool, result.problems, args));
    case "refused":
      return errorResult(refusedByService(tool, result.error, args), result.error);
    case "shape_refused":
      return errorResult(refusedShape(tool, result.error, result.shapes));
    case "not_found": {
      const message = `${tool.name}: no matching instance found`;
      return errorResult({ type: "not_found", message });
    }
  }
}
