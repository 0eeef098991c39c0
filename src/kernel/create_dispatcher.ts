import type { HostContext } from "../ports/host_context.ts";
import type { Log } from "../ports/log_event.ts";
import type { Caller, Principal } from "../ports/principal.ts";
import type { JsonSchema } from "../schema/json_schema_document.ts";
import type { ProblemTree } from "../schema/problems.ts";
import { specFields } from "./spec_fields.ts";
import type { CallContext, CallRequest, Progress } from "./call_context.ts";
import { compileOperation } from "./compile_operation.ts";
import type { RunResult, TransactionRunner } from "./operation.ts";
import { NobodyToAsk } from "./input_required.ts";
import { askCaller, explainProblems, prepareCall } from "./prepare_call.ts";
import { runCall } from "./run_call.ts";
import type { ServiceError } from "./service_error.ts";
import type { Spec } from "./spec.ts";

/** How a transport binds a spec. */
export interface DispatcherOptions {
  /** What it is to the transport, for the errors of an author: `route "GET /invoices"`. */
  readonly where: string;
  /** Serves a list in pages, with `page` and `limit` as arguments. Default `false`. */
  readonly paginate?: boolean;
  /** The most rows of a page; `null` is no bound. Default 100. */
  readonly maxPageSize?: number | null;
  /** Runs services that are atomic. Default: they run without a transaction. */
  readonly transaction?: TransactionRunner;
  /** Turns a library's exception into a refusal of the domain; `undefined` leaves it a fault. */
  readonly translateError?: (error: unknown) => ServiceError | undefined;
  /** Told of checks that throw, and of work after a commit that fails. Default: the console. */
  readonly log?: Log;
}

/** One call of an operation. */
export interface DispatchCall<User extends Principal = Principal> {
  /** Who calls: the transport has found that out. */
  readonly caller: Caller<User>;
  /** Arguments by name, unchecked; text is read as the declared type, as a query needs it. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The transport's request; leave out what holds credentials. Default: none. */
  readonly request?: CallRequest;
  /** What the platform passed. Default: nothing. */
  readonly host?: HostContext;
  /** Aborted when the caller leaves. Default: never. */
  readonly signal?: AbortSignal;
  /** Reports progress. Default: nobody listens. */
  readonly progress?: Progress;
}

/** How a call ended; {@linkcode httpStatus} knows a status for each. */
export type DispatchResult =
  | {
    /** There is an answer. */
    readonly type: "value";
    /** A row, a list, or a page of one. */
    readonly value: unknown;
    /** Whether there is nothing to present. */
    readonly isNothing: boolean;
  }
  | {
    /** The arguments do not fit; nothing ran. */
    readonly type: "invalid";
    /** Messages by argument. */
    readonly problems: ProblemTree;
  }
  | {
    /** The caller may not; say no more than that. */
    readonly type: "denied";
  }
  | {
    /** There is no such row. */
    readonly type: "not_found";
  }
  | {
    /** The domain refused. */
    readonly type: "refused";
    /** Why, in words for the caller. */
    readonly error: ServiceError;
  };

/** A spec made ready to serve over a transport. */
export interface Dispatcher<User extends Principal = Principal> {
  /** What the operation takes: an object. */
  readonly inputSchema: JsonSchema;
  /** What it gives; absent where no output is declared. */
  readonly outputSchema: JsonSchema | undefined;
  /**
   * Checks the arguments, asks who may run the operation, and runs it.
   *
   * A caller whom the permissions refuse is told that and nothing about the arguments.
   *
   * @throws Whatever the domain's code throws that is not a `ServiceError`: a fault, whose text is not
   * for the caller.
   */
  readonly dispatch: (call: DispatchCall<User>) => Promise<DispatchResult>;
}

/**
 * Makes a spec ready for a transport of your own: the one door of the kernel. `McpServer` needs none.
 *
 * @param spec The declaration; its seeds come with it.
 * @throws {ConfigurationError} when the spec cannot be served, naming `where` and the place.
 *
 * @example
 * ```ts
 * import { createDispatcher, httpStatus, param, selectorSpec, unrestricted } from "@limen/mcp/kernel";
 * import { assertEquals } from "@std/assert";
 *
 * const double = selectorSpec({
 *   kind: "retrieve",
 *   reads: { value: param.integer({ required: true }) },
 *   permissions: [unrestricted],
 *   select: ({ args }) => args.value * 2,
 * });
 * const { dispatch } = createDispatcher(double, { where: 'route "GET /double"' });
 * const caller = { user: { authenticated: false } };
 *
 * const result = await dispatch({ caller, args: { value: "21" } });
 * assertEquals(result, { type: "value", value: 42, isNothing: false });
 * assertEquals(httpStatus(await dispatch({ caller, args: {} })), 400);
 * ```
 */
export function createDispatcher<User extends Principal>(
  spec: Spec<User>,
  options: DispatcherOptions,
): Dispatcher<User> {
  const { where, paginate = false, maxPageSize = 100, log = logToConsole } = options;
  const operation = compileOperation(spec, {
    where,
    unknownArguments: "reject",
    includeValidationValue: false,
    seeds: specFields(spec, where).seeds,
    maxPageSize: paginate ? maxPageSize : undefined,
    transaction: options.transaction,
    translateError: options.translateError,
  });
  const dispatch = async (call: DispatchCall<User>): Promise<DispatchResult> => {
    const prepared = prepareCall(operation, contextOf(call, log), call.args);
    if (await askCaller(prepared) !== undefined) return { type: "denied" };
    const isSound = prepared.problems === undefined;
    return toResult(await (isSound ? runCall(prepared) : explainProblems(prepared)));
  };
  const { inputSchema, outputSchema } = operation;
  return Object.freeze({ inputSchema, outputSchema, dispatch });
}

const logToConsole: Log = ({ message, cause }) => console.error(message, cause);

function contextOf(call: DispatchCall, log: Log): CallContext {
  const { caller, request, host = {}, progress = () => {} } = call;
  return {
    caller,
    request,
    host,
    progress,
    log,
    get signal() {
      return call.signal ?? new AbortController().signal;
    },
  };
}

function toResult(result: RunResult): DispatchResult {
  switch (result.type) {
    case "value":
      return { type: "value", value: result.value, isNothing: result.isNothing === true };
    case "invalid":
      return { type: "invalid", problems: result.problems.toTree() };
    case "refused":
    case "shape_refused":
      return { type: "refused", error: result.error };
    case "input_required": // cannot be: a dispatcher has nobody to ask
      return { type: "refused", error: new NobodyToAsk(Object.values(result.asked.questions)) };
    default:
      return result;
  }
}
