import { admit, type Denied, notPermitted } from "../../gate/admit.ts";
import type { CallContext } from "../../kernel/call_context.ts";
import type { Prepared, RunResult, Stage } from "../../kernel/operation.ts";
import { askCaller, explainProblems, prepareCall } from "../../kernel/prepare_call.ts";
import { runCall } from "../../kernel/run_call.ts";
import { type Awaitable, isThenable } from "../../ports/awaitable.ts";
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
import { type AnswerStyle, answerValue } from "./answer_value.ts";
import { boundTool } from "./bound_tool.ts";
import { checkMirrored } from "./check_mirrored.ts";
import { answerAsking } from "./ask_tool.ts";
import { createDispatch } from "./dispatchers/dispatch_call.ts";
import type { HelpOptions } from "./dispatchers/create_help.ts";
import { limitResult } from "./limit_result.ts";
import type { Negotiation } from "./negotiation.ts";
import { createRedeem, type Redeem } from "./redeem_token.ts";
import { resumeTool, withAnswers } from "./resume_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { dropServerArguments } from "./server_arguments.ts";
import { refusedShape } from "./shape_error.ts";
import { invalidArguments, refusedByService } from "./tool_error.ts";
import { warnOfLookalike } from "./warn_of_lookalike.ts";

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/** How an admitted call is run. */
export interface RunOptions {
  /** How much is answered. Default `"lean"`: as little as the tool can. */
  readonly style?: AnswerStyle;
  /** Who can be asked. Default: nobody, and a spec that asks is told as a service that refuses. */
  readonly call?: Call;
  /** What is run of the operation. Default: all of it. */
  readonly stages?: readonly Stage[];
}

const AS_CALLED: RunOptions = Object.freeze({});

/**
 * Decides the way of a call whose tool has a task policy.
 *
 * @returns What the call comes to, or `undefined` for one that runs at once.
 */
export type TaskWay = (
  tool: ToolBinding,
  args: JsonObject,
  call: Call,
) => Awaitable<Outcome> | undefined;

/** What decides how a call goes on. */
export interface CallToolOptions extends HelpOptions {
  /** Asked for tools with a task policy. */
  readonly taskWay: TaskWay;
}

/**
 * Makes `tools/call`: look-up ▸ mirrored headers ▸ task or not ▸ gate ▸ client capabilities ▸ arguments ▸
 * run ▸ present ▸ ceiling (T-30). A dispatcher looks up once more, and goes on with the tool it found. A
 * call that brings a token reads what is kept and runs nothing (HV-20).
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools}
 */
export function createCallTool(registry: Registry<ToolBinding>, options: CallToolOptions): Method {
  let redeem: Redeem | undefined; // made for the first token: many a process never sees one
  const callOne = (tool: ToolBinding, args: JsonObject, call: Call): Awaitable<Outcome> => {
    const { negotiation, taskPolicy } = tool;
    const mismatch = refuseMirrored(tool, args, call);
    if (mismatch !== undefined) return mismatch;
    if (negotiation !== undefined && redeems(negotiation, args)) {
      redeem ??= createRedeem(registry);
      return boundTool(tool, call, redeem(tool, args, call));
    }
    const task = taskPolicy === undefined ? undefined : options.taskWay(tool, args, call);
    return task ?? boundTool(tool, call, admitAndRun(tool, args, call));
  };
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

function redeems({ redeems }: Negotiation, args: JsonObject): boolean {
  return redeems === "all" || (redeems === "own" && Object.hasOwn(args, "continuation_token"));
}

/** What the request itself must bring, before anyone is asked. */
function refuseMirrored(tool: ToolBinding, args: JsonObject, call: Call): Outcome | undefined {
  if (tool.mirrored.length === 0 || !call.mirrorsArguments) return undefined;
  return call.request && checkMirrored(tool.mirrored, args, call.request);
}

/** What the client must be able to do; who may not call does not hear of it. */
export function refuseIncapable(tool: ToolBinding, call: Call): Outcome | undefined {
  if (tool.requiresClient === undefined) return undefined;
  const missing = missingCapabilities(tool.requiresClient, call.clientCapabilities);
  if (missing === undefined) return undefined;
  return failure(
    ErrorCode.missingClientCapability,
    "Missing required client capability",
    { requiredCapabilities: missing },
  );
}

function admitAndRun(tool: ToolBinding, sent: JsonObject, call: Call): Awaitable<Outcome> {
  const { input } = call;
  const args = input === undefined ? sent : withAnswers(tool, sent, input);
  const prepared = prepareTool(tool, args, call);
  const denied = admit(tool.gate, call, () => askCaller(prepared));
  return isThenable(denied)
    ? denied.then((settled) => runAdmitted(settled, tool, prepared, args, call))
    : runAdmitted(denied, tool, prepared, args, call);
}

function runAdmitted(
  denied: Denied | undefined,
  tool: ToolBinding,
  prepared: Prepared,
  args: JsonObject,
  call: Call,
): Awaitable<Outcome> {
  if (denied !== undefined) return refusedByGate(denied, tool.operation, call.log);
  const incapable = refuseIncapable(tool, call);
  if (incapable !== undefined) return incapable;
  const { input } = call;
  if (input === undefined) return runTool(tool, prepared, args, { call });
  return resumeTool(tool, input, call, () => runTool(tool, prepared, args, { call }));
}

/** Checks the arguments, those of the server in place of a caller's (K-42). */
export function prepareTool(tool: ToolBinding, args: JsonObject, context: CallContext): Prepared {
  const { operation, bound, name } = tool;
  const known = tool.dropsVerify && Object.hasOwn(args, "verify") ? withoutVerify(args) : args;
  if (bound === undefined) return prepareCall(operation, context, known);
  const sent = dropServerArguments(bound, known, name, context.log);
  return prepareCall(operation, context, sent, bound.values);
}

function withoutVerify({ verify: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Runs an admitted call, and presents what it comes to.
 *
 * @param args What the caller sent.
 * @param options Default: as a call of a client.
 */
export function runTool(
  tool: ToolBinding,
  prepared: Prepared,
  args: JsonObject,
  options: RunOptions = AS_CALLED,
): Awaitable<Outcome> {
  const { problems } = prepared;
  const result = problems === undefined
    ? runCall(prepared, options.stages)
    : explainProblems(prepared);
  return isThenable(result)
    ? result.then((ended) => answer(tool, prepared, ended, args, options))
    : answer(tool, prepared, result, args, options);
}

/** Answers a run: with its value, its questions, or why there is neither. */
export function answer(
  tool: ToolBinding,
  prepared: Prepared,
  ended: RunResult,
  args: JsonObject,
  { style = "lean", call }: RunOptions,
): Awaitable<Outcome> {
  const { log } = prepared.context;
  if (ended.type === "denied") {
    return refusedByGate(notPermitted(ON_THE_ROW), tool.operation, log);
  }
  if (ended.type === "value") warnOfLookalike(tool, ended.value, log);
  else {
    const asking = call && answerAsking(tool, ended, call);
    if (asking !== undefined) return asking;
  }
  const presented = ended.type !== "value"
    ? explainRefusal(tool, ended, args)
    : tool.negotiation === undefined
    ? presentResult(ended, tool.presentation)
    : answerValue(ended, { tool, negotiation: tool.negotiation, prepared, sent: args, style });
  return isThenable(presented)
    ? presented.then((result) => finish(tool, prepared, ended, result))
    : finish(tool, prepared, ended, presented);
}

function finish(
  tool: ToolBinding,
  prepared: Prepared,
  ended: RunResult,
  result: ResultText,
): Outcome {
  const limited = limitResult(tool, result, prepared.context.log);
  if (tool.announce !== undefined && ended.type === "value" && limited.isError !== true) {
    tool.announce(ended, prepared.context);
  }
  return complete(limited);
}

/** Says why the run gave nothing, in the words of a tool result (T-40). */
function explainRefusal(
  tool: ToolBinding,
  result: Exclude<RunResult, { readonly type: "denied" | "value" }>,
  args: JsonObject,
): ResultText {
  switch (result.type) {
    case "invalid":
      return errorResult(invalidArguments(tool, result.problems, args));
    case "refused":
      return errorResult(refusedByService(tool, result.error, args), result.error);
    case "input_required":
      return errorResult({ type: "service_error", message: "This needs an answer of the user" });
    case "shape_refused":
      return errorResult(refusedShape(tool, result.error, result.shapes));
    case "not_found": {
      const message = `${tool.name}: no matching instance found`;
      return errorResult({ type: "not_found", message });
    }
  }
}
