import type { CallContext, CallRequest, Progress } from "../../kernel/call_context.ts";
import type { HostContext } from "../../ports/host_context.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Caller } from "../../ports/principal.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import { takesQuestion } from "../elicitation/input_request.ts";
import type { Received } from "../elicitation/pending.ts";
import type { TaskRecord } from "./task_record.ts";

/** Who runs a task, and who is told of it. */
export interface TaskCallOptions {
  readonly caller: Caller;
  readonly host: HostContext;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** How many rounds of questions there may be. */
  readonly maxRounds: number;
}

/** The call of a task, as the process that runs it makes it again: no request, and nobody waits. */
export class TaskCall implements Call {
  readonly method = "tools/call";
  readonly params: JsonObject;
  readonly revision = "";
  readonly caller: Caller;
  readonly clientCapabilities: JsonObject;
  readonly mirrorsArguments = false;
  readonly request: CallRequest | undefined = undefined;
  readonly host: HostContext;
  readonly log: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** What the user has answered so far. It works once, since the record is there once. */
  readonly input: Received | undefined;
  /** Whether the client can be asked something; absent after too many rounds. */
  readonly canAsk: CallContext["canAsk"];

  /** Takes what was recorded, and who runs it. */
  constructor(
    { params = {}, clientCapabilities = {}, input }: TaskRecord,
    { caller, host, progress, signal, log, maxRounds }: TaskCallOptions,
  ) {
    this.params = params;
    this.clientCapabilities = clientCapabilities;
    this.caller = caller;
    this.host = host;
    this.progress = progress;
    this.signal = signal;
    this.input = input && { ...input, redeem: () => Promise.resolve(true) };
    this.canAsk = (input?.round ?? 0) < maxRounds
      ? (question) => takesQuestion(clientCapabilities, question)
      : undefined;
    this.log = log;
  }

  get isAbandoned(): boolean {
    return this.signal.aborted;
  }

  /** Nothing stops a task but its cancellation. */
  stop(): void {}
}
