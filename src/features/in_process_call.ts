import type { HostContext } from "../ports/host_context.ts";
import type { Logger } from "../ports/logger.ts";
import type { Caller } from "../ports/principal.ts";
import type { CallRequest, Progress } from "../kernel/call_context.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Call } from "./call.ts";
import { silentProgress } from "./progress_reporter.ts";

/** Who calls in process, and as what. */
export interface InProcessOptions {
  readonly caller: Caller;
  readonly request: CallRequest | undefined;
  readonly host: HostContext;
  readonly signal: AbortSignal | undefined;
  readonly log: Logger;
}

const NOTHING: JsonObject = Object.freeze({});

/** A call that came by no transport: nothing is streamed, and the client declared nothing. */
export class InProcessCall implements Call {
  readonly method: string;
  readonly params: JsonObject;
  readonly revision = "";
  readonly caller: Caller;
  readonly request: CallRequest | undefined;
  readonly host: HostContext;
  readonly log: Logger;
  readonly progress: Progress = silentProgress;
  readonly clientCapabilities: JsonObject = NOTHING;
  readonly mirrorsArguments = false;
  readonly #given: AbortSignal | undefined;
  /** Made when first needed: some calls are kept for long, and asked about now and then. */
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;

  /** Takes the method, its parameters, and who calls. */
  constructor(method: string, params: JsonObject, options: InProcessOptions) {
    this.method = method;
    this.params = params;
    this.caller = options.caller;
    this.request = options.request;
    this.host = options.host;
    this.log = options.log;
    this.#given = options.signal;
  }

  get signal(): AbortSignal {
    const { signal } = this.#controller ??= new AbortController();
    return this.#signal ??= this.#given === undefined
      ? signal
      : AbortSignal.any([this.#given, signal]);
  }

  get isAbandoned(): boolean {
    return this.#given?.aborted === true || this.#controller?.signal.aborted === true;
  }

  stop(reason: string): void {
    (this.#controller ??= new AbortController()).abort(new DOMException(reason, "AbortError"));
  }
}
