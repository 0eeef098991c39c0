import { admit, notPermitted } from "../../gate/admit.ts";
import type { CallContext } from "../../kernel/call_context.ts";
import type { Prepared, RunResult, Stage } from "../../kernel/operation.ts";
import { askCaller, explainProblems, prepareCall } from "../../kernel/prepare_call.ts";
import { runCall } from "../../kernel/run_call.ts";
import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import { boundOutcome } from "../bound_outcome.ts";
import { quoteName } from "../quote_name.ts";
import type { Logger } from "../../ports/logger.ts";
import { errorResult } from "../../present/error_result.ts";
import { presentResult } from "../../present/present_result.ts";
import type { ResultText } from "../../present/result_text.ts";
import { overCeiling } from "../../present/result_size.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json.ts";
import type { Call, Method } from "../call.ts";
import { missingCapabilities } from "../missing_capability.ts";
import { complete, failure, invalidParams, type Outcome } from "../outcome.ts";
import { ON_THE_ROW, refusedByGate } from "../refused_by_gate.ts";
import type { Registry } from "../registry.ts";
import { checkMirrored } from "./check_mirrored.ts";
import type { ToolBinding } from "./tool_binding.ts";
import { dropServerArguments } from "./server_arguments.ts";
import { refusedShape } from "./shape_error.ts";
import { invalidArguments, refusedByService } from "./tool_error.ts";
import { warnOfLookalike } from "./warn_of_lookalike.ts";

const NO_ARGUMENTS: JsonObject = Object.freeze({});

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

/**
 * Makes `tools/call`: look-up ▸ mirrored headers ▸ client capabilities ▸ gate ▸ arguments ▸ run ▸
 * present ▸ ceiling (T-30). A tool with a task policy is asked for its way after the capabilities.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools}
 */
export function createCallTool(registry: Registry<ToolBinding>, taskWay?: TaskWay): Method {
  return (call) => {
    const { name } = call.params;
    const args = call.params.arguments ?? NO_ARGUMENTS;
    if (typeof name !== "string") return invalidParams("Invalid params: name must be a string");
    if (!isJsonObject(args)) return invalidParams("Invalid params: arguments must be an object");
    const tool = registry.get(name);
    if (tool === undefined) return invalidParams(`Unknown tool: ${quoteName(name)}`);
    const refused = refuseUnfit(tool, args, call) ??
      (tool.taskPolicy === undefined ? undefined : taskWay?.(tool, args, call));
    return refused ?? bound(tool, call, admitAndRun(tool, args, call));
  };
}

/** Bounds a call of a tool by its deadline. */
export function bound<T>(
  tool: ToolBinding,
  call: Call,
  outcome: Awaitable<T>,
): Awaitable<T | Outcome> {
  const { dispatchTimeoutMs: ms, name } = tool;
  const onExpiry = (): Outcome => {
    const message = `${name} took longer than ${ms} ms: ask for less, or try again later`;
    return complete(errorResult({ type: "timeout", message }));
  };
  return boundOutcome(outcome, call, ms, { called: { tool: name }, onExpiry });
}

/** What the request itself must bring, before anyone is asked. */
function refuseUnfit(tool: ToolBinding, args: JsonObject, call: Call): Outcome | undefined {
  if (tool.mirrored.length > 0 && call.mirrorsArguments && call.request !== undefined) {
    const mismatch = checkMirrored(tool.mirrored, args, call.request);
    if (mismatch !== undefined) return mismatch;
  }
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
        ? runTool(tool, prepared, args)
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

/**
 * Runs an admitted call, and presents what it comes to.
 *
 * @param stages What is run of the operation. Default: all of it.
 */
export function runTool(
  tool: ToolBinding,
  prepared: Prepared,
  args: JsonObject,
  stages?: readonly Stage[],
): Awaitable<Outcome> {
  const { context: { log }, problems } = prepared;
  const result = problems === undefined ? runCall(prepared, stages) : explainProblems(prepared);
  return andThen<RunResult, Outcome>(result, (ended) => explain(tool, ended, args, log));
}

/** Says how a call ended: in a result, unless the row refused its caller. */
export function explain(
  tool: ToolBinding,
  ended: RunResult,
  args: JsonObject,
  log: Logger,
): Awaitable<Outcome> {
  if (ended.type === "denied") {
    return refusedByGate(notPermitted(ON_THE_ROW), tool.operation, log);
  }
  if (ended.type === "value") warnOfLookalike(tool, ended.value, log);
  return andThen(
    present(tool, ended, args),
    (presented) => complete(limit(tool, presented, log)),
  );
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

/** A result over the ceiling is told, never cut (M-30). */
function limit(tool: ToolBinding, result: ResultText, log: Logger): ResultText {
  const { name, maxResultBytes } = tool;
  if (maxResultBytes === null) return result;
  const bytes = overCeiling(result, maxResultBytes);
  if (bytes === undefined) return result;
  log({
    level: "warning",
    event: "result.too_large",
    message: "A result is over its ceiling",
    fields: { tool: name, bytes, maxResultBytes },
  });
  return errorResult({
    type: "result_too_large",
    message: `The result of ${name} has ${bytes} bytes, over the ceiling of ${maxResultBytes}: ` +
      "ask for less, with a filter or a smaller limit",
  });
}
