import type { CallRequest, Progress } from "../../kernel/call_context.ts";
import type { HostContext } from "../../ports/host_context.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Caller } from "../../ports/principal.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import type { TaskAnswers, TaskRecord } from "./task_record.ts";

/** Who runs a task, and who is told of it. */
export interface TaskCallOptions {
  readonly caller: Caller;
  readonly host: HostContext;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly log: Logger;
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
  /** What the client answered to what the run before has asked. */
  readonly answers: TaskAnswers | undefined;

  /** Takes what was recorded, and who runs it. */
  constructor(
    { params = {}, clientCapabilities = {}, answers }: TaskRecord,
    { caller, host, progress, signal, log }: TaskCallOptions,
  ) {
    this.params = params;
    this.clientCapabilities = clientCapabilities;
    this.caller = caller;
    this.host = host;
    this.progress = progress;
    this.signal = signal;
    this.answers = answers;
    this.log = log;
  }

  get isAbandoned(): boolean {
    return this.signal.aborted;
  }

  /** Nothing stops a task but its cancellation. */
  stop(): void {}
}
