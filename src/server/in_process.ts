import type { Era } from "../era/era.ts";
import { textOf } from "../era/text_of.ts";
import { InProcessCall } from "../features/in_process_call.ts";
import type {
  CalledTool,
  InProcessCaller,
  ListedTools,
  ListOptions,
} from "../features/in_process.ts";
import type { Outcome } from "../features/outcome.ts";
import type { Registry } from "../features/registry.ts";
import type { ToolBinding } from "../features/tools/tool_binding.ts";
import { callCore } from "../features/tools/call_core.ts";
import { createDispatch } from "../features/tools/dispatchers/dispatch_call.ts";
import { findTarget } from "../features/tools/dispatchers/find_target.ts";
import { explainCall, type ExplainedStep } from "../features/tools/explain_call.ts";
import { createListTools, type ListToolsOptions } from "../features/tools/list_tools.ts";
import { findOmission } from "../features/tools/tool_filter.ts";
import type { Affordance } from "../kernel/affordance.ts";
import type { Around } from "../methods/around.ts";
import { runMethod } from "../methods/run_method.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Logger } from "../ports/logger.ts";
import { anonymous, type Caller } from "../ports/principal.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RpcError } from "../protocol/rpc_error.ts";
import type { Settings } from "../settings.ts";

/** Which tools there are, and how calls of them run. */
export interface InProcessOptions {
  /** The tools. */
  readonly tools: Registry<ToolBinding>;
  /** The options of the server. */
  readonly settings: Settings;
  /** Whose methods run, and whose results are answered. */
  readonly era: Era;
  /** Makes the store; absent where it was there from the start. */
  readonly openStore: ((host: HostContext) => void) | undefined;
  /** Where events go. */
  readonly log: Logger;
  /** What wraps every call. */
  readonly around: readonly Around[];
}

/** Lists and calls tools within the process, by the methods that serve the wire. */
export class InProcess {
  readonly #options: InProcessOptions;

  /** @param options The tools, and how calls of them run. */
  constructor(options: InProcessOptions) {
    this.#options = options;
  }

  /** One page of the tools, or the error of a bad cursor. */
  async listTools(options: ListOptions): Promise<ListedTools | RpcError> {
    const { cursor, includeUnavailable = false } = options;
    const params = cursor === undefined ? {} : { cursor };
    const call = this.#call("tools/list", params, options);
    if (!includeUnavailable) return await this.#answer(call);
    const { tools } = this.#options;
    const list = createListTools(tools, { ...this.#rules(), byCondition: false });
    return this.#decode(await list(call));
  }

  /** Calls a tool with all that stands before it. */
  async invokeTool(
    name: string,
    args: JsonObject,
    caller: InProcessCaller,
  ): Promise<CalledTool | RpcError> {
    return await this.#answer(this.#call("tools/call", { name, arguments: args }, caller));
  }

  /**
   * Calls the spec behind a tool.
   *
   * @throws {RangeError} when there is no such tool.
   */
  async callTool(name: string, args: JsonObject, caller: InProcessCaller): Promise<CalledTool> {
    const { tools } = this.#options;
    const tool = tools.get(name);
    if (tool === undefined) throw new RangeError(`Unknown tool: ${JSON.stringify(name)}`);
    const call = this.#call("tools/call", { name, arguments: args }, caller);
    const run = tool.dispatches === undefined
      ? callCore
      : createDispatch(tools, { ...this.#rules(), run: callCore });
    return this.#decode(await run(tool, args, call)) as CalledTool;
  }

  /** What a listing leaves out for want of a condition. */
  async unavailableTools(caller: InProcessCaller): Promise<ReadonlyMap<string, Affordance>> {
    const call = this.#call("tools/list", {}, caller);
    const rules = this.#rules();
    const unavailable = new Map<string, Affordance>();
    for (const tool of this.#options.tools.all()) {
      const omission = await findOmission(tool, call, rules);
      if (typeof omission === "object") unavailable.set(tool.name, omission);
    }
    return unavailable;
  }

  /** What stands before a call, step by step. */
  async explain(
    name: string,
    args: JsonObject,
    caller: InProcessCaller,
  ): Promise<readonly ExplainedStep[]> {
    const call = this.#call("tools/call", { name, arguments: args }, caller);
    const target = findTarget(this.#options.tools, name, args);
    return await explainCall(target?.tool, target?.args ?? args, call);
  }

  /** How tools are listed, as on the wire. */
  #rules(): ListToolsOptions {
    const { pageSize, catalogTtlMs: ttlMs, filterListings: byPermission } = this.#options.settings;
    const outputSchema = (schema: JsonObject) => schema;
    return { pageSize, ttlMs, byPermission, byCondition: true, outputSchema };
  }

  #call(
    method: string,
    params: JsonObject,
    { user, scopes, request, host = {}, signal }: InProcessCaller,
  ): InProcessCall {
    const caller: Caller = {
      user: user ?? anonymous,
      ...(scopes === undefined ? {} : { token: { scopes } }),
    };
    const { log, openStore } = this.#options;
    openStore?.(host);
    return new InProcessCall(method, params, { caller, request, host, signal, log });
  }

  async #answer<T>(call: InProcessCall): Promise<T | RpcError> {
    const { era, around } = this.#options;
    return this.#decode(await runMethod(era.methods, call, around));
  }

  #decode<T>(outcome: Outcome): T | RpcError {
    if (outcome.type === "error") return outcome.error;
    return JSON.parse(textOf(this.#options.era.encode(outcome, 0).body)).result;
  }
}
