import type { Route, Visit } from "../era/era.ts";
import type { Call } from "../features/call.ts";
import { takesQuestion } from "../features/elicitation/input_request.ts";
import type { Received } from "../features/elicitation/pending.ts";
import { createProgress, isProgressToken, silentProgress } from "../features/progress_reporter.ts";
import type { CallRequest, Progress } from "../kernel/call_context.ts";
import type { Question } from "../kernel/question.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Logger } from "../ports/logger.ts";
import type { Caller } from "../ports/principal.ts";
import { fingerprint } from "../ports/fingerprint.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import { isJsonObject, type JsonObject, ownValue } from "../protocol/json.ts";
import type { Exchange } from "./exchange.ts";

/** What every call of a server shares. */
export interface CallDefaults {
  readonly log: Logger;
  readonly maxProgressReports: number;
  /** How many rounds of questions a call may ask. */
  readonly maxRounds: number;
}

/** A call that came as a request; its signal is the exchange's. */
export class RequestCall implements Call {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: JsonObject;
  readonly revision: string;
  readonly caller: Caller;
  readonly clientCapabilities: JsonObject;
  readonly mirrorsArguments: boolean;
  readonly request: VisibleRequest;
  readonly host: HostContext;
  readonly log: Logger;
  readonly progress: Progress;
  readonly input: Received | undefined;
  readonly #mayAsk: boolean;
  readonly #exchange: Exchange;
  readonly #request: Request;
  readonly #sid: string | undefined;

  /** Brings together what the rooms before have found out. */
  constructor(
    route: Route,
    visit: Visit,
    caller: Caller,
    exchange: Exchange,
    defaults: CallDefaults,
    platform: { readonly request: Request; readonly host: HostContext },
    input?: Received,
  ) {
    this.id = route.message.id;
    this.method = route.message.method;
    this.params = route.message.params;
    this.revision = visit.revision;
    this.#sid = visit.sid;
    this.caller = caller;
    this.clientCapabilities = visit.clientCapabilities;
    this.mirrorsArguments = route.era.mirrorsArguments;
    this.#request = platform.request;
    this.request = new VisibleRequest(platform.request);
    this.host = platform.host;
    this.log = defaults.log;
    this.input = input;
    this.#mayAsk = route.era.asksByResult && (input?.round ?? 0) < defaults.maxRounds;
    this.#exchange = exchange;
    const { _meta: meta } = this.params;
    const token = isJsonObject(meta) ? ownValue(meta, "progressToken") : undefined;
    this.progress = isProgressToken(token)
      ? createProgress(token, (json) => exchange.send(json), defaults.maxProgressReports)
      : silentProgress;
  }

  get session(): string | undefined {
    if (this.#sid === undefined) return undefined;
    return fingerprint(this.#request.headers.get("mcp-session-id"));
  }

  get canAsk(): ((question: Question) => boolean) | undefined {
    return this.#mayAsk
      ? (question) => takesQuestion(this.clientCapabilities, question)
      : undefined;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  stop(reason: string): void {
    this.#exchange.stop(reason);
  }

  get isAbandoned(): boolean {
    return this.#exchange.isAbandoned;
  }
}

const HIDDEN: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "mcp-session-id",
  "proxy-authorization",
]);

/** The request as callables see it: without credentials (B17), and without the session's full id (O-2). */
class VisibleRequest implements CallRequest {
  readonly #request: Request;
  #isLookedAt = false;

  /** @param request The request. */
  constructor(request: Request) {
    this.#request = request;
  }

  get method(): string {
    this.#isLookedAt = true;
    return this.#request.method;
  }

  get url(): string {
    this.#isLookedAt = true;
    return this.#request.url;
  }

  header(name: string): string | null {
    this.#isLookedAt = true;
    return HIDDEN.has(name.toLowerCase()) ? null : this.#request.headers.get(name);
  }

  /** What is left of it when the platform has taken it back: nothing where nobody has looked at it. */
  keep(): CallRequest {
    if (!this.#isLookedAt) return GONE;
    const { method, url, headers } = this.#request;
    const visible = new Map([...headers].filter(([name]) => !HIDDEN.has(name)));
    return { method, url, header: (name) => visible.get(name.toLowerCase()) ?? null };
  }
}

/**
 * What is left of a request that nobody has looked at. It is one all the same, since a call without is
 * a call in process, which may be trusted; and whoever looks at it only now fails.
 */
const GONE: CallRequest = Object.freeze({
  get method(): never {
    return refuseGone();
  },
  get url(): never {
    return refuseGone();
  },
  header: refuseGone,
});

function refuseGone(): never {
  throw new Error("Cannot read the request: nobody has looked at it before it was over");
}
