import type { Authenticator } from "../auth/authenticator.ts";
import type { ResourceMetadataOptions } from "../auth/resource_metadata.ts";
import type { ScopeHierarchy } from "../auth/scope_expansion.ts";
import type { AskingOptions } from "../features/elicitation/asking_options.ts";
import type { AgentConventions } from "../features/conventions.ts";
import type { TaskExecutor } from "../features/tasks/task_executor.ts";
import type { RestoreCaller, TaskOptions } from "../features/tasks/task_options.ts";
import type { LimitOptions } from "../gate/server_limits.ts";
import type { TransactionRunner } from "../kernel/operation.ts";
import type { SeedPool, SeedValues } from "../kernel/pool.ts";
import type { PoolSeeds } from "../kernel/pool_seeds.ts";
import type { ServiceError } from "../kernel/service_error.ts";
import type { Around } from "../methods/around.ts";
import type { Audit } from "../ports/audit_record.ts";
import type { Clock } from "../ports/clock.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { SecretSource } from "../ports/key_ring.ts";
import type { Log, LogLevel } from "../ports/log_event.ts";
import type { Principal } from "../ports/principal.ts";
import type { Icon } from "../protocol/descriptors.ts";
import type { ContinuationOptions } from "../present/continuation_options.ts";
import type { ReplayOptions } from "../era/legacy/replay_buffer.ts";
import type { Broker } from "../stores/broker.ts";
import type { KeyValueStore } from "../stores/key_value_store.ts";

/** Options of a server. */
export interface ServerOptions<
  User extends Principal = Principal,
  Seeds extends SeedValues = SeedValues,
> {
  /** Programmatic name. */
  readonly name: string;
  /** Version string. */
  readonly version: string;
  /** Display name. Default: none. */
  readonly title?: string;
  /** What the server is, for people. Default: none. */
  readonly description?: string;
  /** Its home page. Default: none. */
  readonly websiteUrl?: string;
  /** Its icons. Default: none. */
  readonly icons?: readonly Icon[];
  /** How a model should use the server. Default: none. */
  readonly instructions?: string;
  /**
   * Where clients reach it, such as `https://mcp.example/`. Nothing is read from `Host`.
   * Default: unknown.
   */
  readonly publicUrl?: string;
  /**
   * Web pages that may call, by origin. Default: the server's own, and pages on this machine while
   * the server is on this machine. `["*"]` opens it to every page, and with it to DNS rebinding.
   */
  readonly allowedOrigins?: readonly string[];
  /** The only host names that are served, with or without port. Default: all. */
  readonly allowedHosts?: readonly string[];
  /**
   * Who calls. `lateAuth()` makes it from what the platform passes with the first request, as on Workers.
   * Default: everybody is anonymous.
   */
  readonly auth?: Authenticator<User>;
  /** Values that the server supplies to every callable. Default: none. */
  readonly seeds?: PoolSeeds<User, Seeds>;
  /** Runs services that are atomic. Default: they run without a transaction. */
  readonly transaction?: TransactionRunner;
  /**
   * Turns a library's exception into a refusal of the domain; `undefined` leaves it a fault.
   * Default: nothing is translated.
   */
  readonly translateError?: (error: unknown) => ServiceError | undefined;
  /**
   * Receives a record of each call of a tool, a resource or a prompt: who called what, and whether it
   * was let through. It holds ids of callers, which the log does not. Default: nobody is told.
   */
  readonly audit?: Audit;
  /** What runs around every method, the outermost first. Default: nothing. */
  readonly around?: readonly Around[];
  /** Sentences that the server adds for agents. Default: the library's own. */
  readonly conventions?: AgentConventions;
  /**
   * Scopes that imply others, such as `{ admin: ["write"], write: ["read"] }`: a token with `admin`
   * then carries all three. Default: a scope is itself only.
   */
  readonly implies?: ScopeHierarchy;
  /**
   * What clients learn of how to get a token. Default: the authorization servers that `auth` names;
   * without any, there is no such document.
   */
  readonly resourceMetadata?: ResourceMetadataOptions;
  /**
   * How calls keep their place that ask over several rounds. Default: sealed under `secret`, good for
   * 10 minutes, five rounds at most.
   */
  readonly requestState?: AskingOptions;
  /**
   * Seals what travels through clients, such as legacy sessions and the place of calls that ask, and
   * what is kept of tasks. At least 32 bytes; of several, the first seals and all open, so that a secret
   * can be rotated. A function reads it from what the platform passes, as on Workers. Default: none, and
   * with it no sessions.
   */
  readonly secret?: SecretSource;
  /**
   * How legacy sessions are kept: in their id, which any process verifies; in `stores`, where one that
   * nobody uses ends earlier; or not at all. Default: `"sealed"` where there is a secret, otherwise
   * `"none"`.
   */
  readonly sessions?: "sealed" | "stored" | "none";
  /** How long a legacy session lives, in milliseconds. Default 7 days. */
  readonly sessionMaxAgeMs?: number;
  /** How long a stored session lives while nobody uses it, in milliseconds. Default 24 hours. */
  readonly sessionIdleTtlMs?: number;
  /**
   * Carries messages between the processes of the server. With one, legacy sessions may listen by GET,
   * `server.notify` reaches them in any process, and so does a cancellation or the end of a session;
   * modern clients hear of changes by `subscriptions/listen`. Default: none; `memoryBroker()` serves a
   * single process.
   */
  readonly broker?: Broker;
  /**
   * Records in `stores` what legacy sessions are sent, so that a client whose stream broke gets what
   * it missed. Needs a broker. Default: nothing is recorded.
   */
  readonly replay?: ReplayOptions;
  /**
   * How many streams of legacy sessions this process has open at a time. Default 100. What waits for
   * a reader who is slow is bounded: one message in the stream, and 1 MiB before it.
   */
  readonly maxStreams?: number;
  /**
   * How many of them one caller may have: a principal or, where nobody authenticates, an address.
   * Default 2.
   */
  readonly maxStreamsPerCaller?: number;
  /**
   * How long such a stream lasts, in milliseconds; the client then opens another, and is authenticated
   * again. Default 1 hour.
   */
  readonly streamMaxAgeMs?: number;
  /**
   * How many streams of `subscriptions/listen` this process has open at a time; `null` is no bound.
   * Default 100. What waits for a reader who is slow is bounded by 1000 events and 1 MiB: what waits
   * already is not added again, and past the bound the stream ends.
   */
  readonly maxSubscriptions?: number | null;
  /**
   * How many of them one caller may have: a principal or, where nobody authenticates, an address; each
   * may watch 100 resources. Default 5.
   */
  readonly maxSubscriptionsPerCaller?: number;
  /**
   * How long such a stream lasts, in milliseconds, if the caller's credential lasts as long; the client
   * then listens again, and is authenticated again. `null` is no bound. Default 1 hour. What it may
   * watch is asked again every 5 minutes.
   */
  readonly subscriptionMaxAgeMs?: number | null;
  /**
   * Whose resources a caller means by a URI, such as its tenant: a change is told only to those who
   * have the partition of who made it. Where equal URIs name different rows for different callers,
   * they would otherwise hear of each other's changes. Default: one partition for all.
   */
  readonly partition?: (pool: SeedPool<User>) => string;
  /**
   * Where state is kept. `lateStore()` makes it from what the platform passes with the first request, as
   * on Workers. Default: the memory of this process.
   */
  readonly stores?: KeyValueStore;
  /**
   * Where long work goes: tools with a `taskPolicy` may then answer with a task that runs on.
   * `inProcessExecutor()` serves a single process; a job queue is a few lines. Default: nothing runs
   * as a task.
   */
  readonly executor?: TaskExecutor;
  /** How tasks are kept. Default: for 24 hours, and none of anonymous callers. */
  readonly tasks?: TaskOptions;
  /**
   * Finds a caller again by id, where a task runs: a task has the rights that its caller has then, and
   * never more than when it was created. Needed for tasks beside `auth`. Default: none.
   */
  readonly restoreCaller?: RestoreCaller<User>;
  /**
   * How much callers may ask of the server. Default: 20 calls in flight for each caller, and 1000 in all.
   */
  readonly limits?: LimitOptions;
  /**
   * How many reverse proxies of yours stand before the server, each adding the address of whom it
   * answers to `X-Forwarded-For`. The client's address is read that many entries from the right.
   * Default 0: the header is not read, since a client can write any address into it. Count exactly:
   * with one too many, the client writes the entry that is read. A request with fewer entries is
   * taken for one of its connection. Not used beside the option `host`.
   */
  readonly trustedProxies?: number;
  /**
   * Turns what the platform passes beside the request into the pool's `host`. Default: the client's
   * address is taken from what Deno passes.
   */
  readonly host?: (request: Request, ...platform: readonly unknown[]) => HostContext;
  /**
   * Where the time comes from, for tests: sessions, the server's own memory and streams go by it.
   * Default: the clock of the system.
   */
  readonly clock?: Clock;
  /** Receives events. Default: they go to the console. */
  readonly log?: Log;
  /**
   * The least of the events that are logged. `"info"` adds who opens a conversation and whom the gate
   * refuses, `"debug"` how long each call took; below the level no event is made. Default `"warning"`.
   */
  readonly logLevel?: LogLevel;
  /** Entries of a page of a list. Default 100. */
  readonly pageSize?: number;
  /** How long a client may keep a list, in milliseconds. Default 60 000. */
  readonly catalogTtlMs?: number;
  /** How long a client may keep a resource that it read, in milliseconds. Default 0: not at all. */
  readonly resourceTtlMs?: number;
  /**
   * Whether tools, resources and prompts may come to be while requests are served, so that the
   * methods of a kind exist before there is anything of it. Default `false`.
   */
  readonly dynamicCatalogue?: boolean;
  /** Limit of a request body, in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * How long a body may take to arrive, in milliseconds; a slower one is 408, so that clients who send
   * a byte now and then do not pile up. Default 10 000.
   */
  readonly bodyTimeoutMs?: number;
  /** Ceiling of an encoded result, in bytes; `null` is none. Default 5 MiB. */
  readonly maxResultBytes?: number | null;
  /**
   * Whether a write that declares an `action` answers with a short confirmation, which holds what names
   * the row, in place of the row. Default `true`.
   */
  readonly leanWrites?: boolean;
  /**
   * The name of one tool that reads the results of all others again, by the token of a short answer.
   * With it, such a write confirms with a token, and a read that is over `probeAboveBytes` answers with
   * how its result begins. Default: there is no such tool.
   */
  readonly continuationTool?: string;
  /** How long results are kept for such tokens, and how many. Default: 4 MiB a caller, for 5 minutes. */
  readonly continuations?: ContinuationOptions;
  /**
   * From more than how many bytes of JSON on a read is answered by how it begins and a token, where its
   * callers have a tool to send a token to; `null` is never. Default 25 000.
   */
  readonly probeAboveBytes?: number | null;
  /** The most rows of a page of a paged tool; `null` is no bound. Default 100. */
  readonly maxPageSize?: number | null;
  /**
   * How long a call may take, in milliseconds; the client stops waiting and the work is told, not
   * torn. Finding out who calls, and each step of a session, may take as long. `null` is no bound.
   * Default 60 000.
   */
  readonly dispatchTimeoutMs?: number | null;
  /** Whether `structuredContent` is sent. Default `true`. */
  readonly includeStructuredContent?: boolean;
  /** Whether output schemas are advertised. Default `true`. */
  readonly includeOutputSchema?: boolean;
  /** Refuse tools whose spec declares no permissions. Default `true`. */
  readonly requireToolPermissions?: boolean;
  /** Refuse tools without a description. Default `false`, with a warning. */
  readonly requireToolDescriptions?: boolean;
  /** Refuse list tools that are not paged. Default `false`, with a warning. */
  readonly requireListPagination?: boolean;
  /** List to a caller only what its permissions allow. Default `false`. */
  readonly filterListings?: boolean;
  /** How many progress notifications one call may send. Default 1000. */
  readonly maxProgressReports?: number;
  /** Repeat refused arguments in the refusal. Default `false`: they may hold secrets. */
  readonly includeValidationValue?: boolean;
  /** Refuse clients that do not accept both JSON and event streams. Default `false`. */
  readonly strictAccept?: boolean;
  /**
   * Whether calls may answer with a stream; `"never"` suits platforms that buffer. What waits in a
   * stream for a slow reader is 1 MiB at most: progress that does not fit is dropped, the answer never.
   * Default `"auto"`.
   */
  readonly streaming?: "auto" | "never";
  /** After how many milliseconds a call that still runs becomes a stream. Default 5000. */
  readonly streamAfterMs?: number;
  /**
   * How often an idle stream says that it lives, in milliseconds. Default 8000: Bun closes a
   * connection that is idle for ten seconds, and most proxies wait for longer.
   */
  readonly keepAliveMs?: number;
  /**
   * What a caller of a tool gets for a fault: -32603 on HTTP 500, or a masked result with
   * `isError` for clients that drop a 5xx. Default `"rpcError"`.
   */
  readonly faults?: "rpcError" | "toolError";
}
