import type { HostContext } from "../ports/host_context.ts";
import type { Principal, Token } from "../ports/principal.ts";
import type { Ask, Confirm } from "./ask.ts";
import { Asker } from "./asker.ts";
import type { CallContext, CallRequest, Progress } from "./call_context.ts";

/** Seeds by name. */
export type SeedValues = Readonly<Record<string, unknown>>;

/** What a run has that declares neither seeds nor providers. */
export const NO_VALUES: SeedValues = Object.freeze({});

/** No seeds, or no provided values. */
export type NoSeeds = Readonly<Record<never, never>>;

/** The smallest pool: who calls, and from where. What a seed, a provider or a condition may see. */
export interface SeedPool<User extends Principal = Principal> {
  /** Whoever calls. */
  readonly user: User;
  /** The credential, if there was one. */
  readonly token: Token | undefined;
  /** The transport's request, if there is one. */
  readonly request: CallRequest | undefined;
  /** What the platform passed. */
  readonly host: HostContext;
}

/**
 * The one object that a callable receives; it takes what it needs by destructuring. A copy made by
 * spreading loses `signal`, `ask` and `confirm`, which are made when first read.
 */
export interface Pool<User extends Principal = Principal, Args = unknown> extends SeedPool<User> {
  /** What the caller sent, checked and coerced. */
  readonly args: Args;
  /** Reports progress; does nothing when nobody listens. */
  readonly progress: Progress;
  /** Aborted when the caller leaves or cancels; made when first read. */
  readonly signal: AbortSignal;
  /**
   * Runs something once the callable has succeeded and its transaction is committed; never after a
   * failure of either. What it answers is awaited and not looked at; what it throws is logged and
   * fails nothing.
   */
  readonly afterCommit: (work: () => unknown) => void;
  /** Asks whoever calls; ends the run until the answers are there. */
  readonly ask: Ask;
  /** Asks the user to agree to an effect, which no argument can do in the user's place. */
  readonly confirm: Confirm;
}

/** Names that no seed and no provided value may take. */
export const RESERVED_NAMES: readonly string[] = [
  "afterCommit",
  "args",
  "ask",
  "collection",
  "confirm",
  "filters",
  "host",
  "instance",
  "progress",
  "request",
  "result",
  "rows",
  "shapes",
  "signal",
  "token",
  "user",
];

/** Makes the pool of one call. Nothing the caller sent is spread into it. */
export function createPool(args: unknown, context: CallContext, later: Later): Pool {
  return new ContextPool(args, context, later);
}

/** Makes the pool of what may see neither arguments nor rows. */
export function createSeedPool(
  { caller, request, host }: Pick<CallContext, "caller" | "host" | "request">,
): SeedPool {
  return { user: caller.user, token: caller.token, request, host };
}

/** What the pools of one call share. */
export interface Later {
  /** Work that waits for the commit; made when first needed. */
  work: (() => unknown)[] | undefined;
  /** Asks whoever calls; made when first needed. */
  asker: Asker | undefined;
}

class ContextPool implements Pool {
  readonly args: unknown;
  readonly user: Principal;
  readonly token: Token | undefined;
  readonly request: CallRequest | undefined;
  readonly host: HostContext;
  readonly progress: Progress;
  readonly #context: CallContext;
  readonly #later: Later;

  constructor(args: unknown, context: CallContext, later: Later) {
    this.args = args;
    this.user = context.caller.user;
    this.token = context.caller.token;
    this.request = context.request;
    this.host = context.host;
    this.progress = context.progress;
    this.#context = context;
    this.#later = later;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get afterCommit(): Pool["afterCommit"] {
    return (work) => void (this.#later.work ??= []).push(work);
  }

  get ask(): Ask {
    return (this.#later.asker ??= new Asker(this.#context)).ask;
  }

  get confirm(): Confirm {
    return (this.#later.asker ??= new Asker(this.#context)).confirm;
  }
}
