import type { HostContext } from "../ports/host_context.ts";
import type { Principal, Token } from "../ports/principal.ts";
import type { CallContext, CallRequest, Progress } from "./call_context.ts";

/** The one object that a callable receives; it takes what it needs by destructuring. */
export interface Pool<User extends Principal = Principal, Args = unknown> {
  /** What the caller sent, checked and coerced. */
  readonly args: Args;
  /** Whoever calls. */
  readonly user: User;
  /** The credential, if there was one. */
  readonly token: Token | undefined;
  /** The transport's request, if there is one. */
  readonly request: CallRequest | undefined;
  /** What the platform passed. */
  readonly host: HostContext;
  /** Reports progress; does nothing when nobody listens. */
  readonly progress: Progress;
  /** Aborted when the caller leaves or cancels; made when first read. */
  readonly signal: AbortSignal;
}

/** Makes the pool of one call. Nothing the caller sent is spread into it. */
export function createPool(args: unknown, context: CallContext): Pool {
  return new ContextPool(args, context);
}

/** `signal` is a getter on the prototype: what a callable does not read is never made. */
class ContextPool implements Pool {
  readonly args: unknown;
  readonly user: Principal;
  readonly token: Token | undefined;
  readonly request: CallRequest | undefined;
  readonly host: HostContext;
  readonly progress: Progress;
  readonly #context: CallContext;

  constructor(args: unknown, context: CallContext) {
    this.args = args;
    this.user = context.caller.user;
    this.token = context.caller.token;
    this.request = context.request;
    this.host = context.host;
    this.progress = context.progress;
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }
}
