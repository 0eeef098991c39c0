import type { Catalogue } from "../era/catalogue.ts";
import { createIdentification } from "../auth/create_identification.ts";
import { type Identification, identify } from "../auth/identify.ts";
import { createAuthentication } from "../auth/authentication.ts";
import { createResourceMetadata, type ResourceMetadata } from "../auth/resource_metadata.ts";
import { checkHead, refuseMethod, refuseSource } from "../edge/check_head.ts";
import { createDefaultHost } from "../edge/default_host.ts";
import { type AnswerOptions, Exchange } from "../edge/exchange.ts";
import { inTime } from "../edge/in_time.ts";
import { parseMessage } from "../edge/parse_message.ts";
import { readBody } from "../edge/read_body.ts";
import { logRefusal } from "../edge/log_refusal.ts";
import { Heartbeat } from "../edge/heartbeat.ts";
import { createOriginPolicy, type OriginPolicy } from "../edge/origin_policy.ts";
import { type CallDefaults, RequestCall } from "../edge/request_call.ts";
import { listenToSession } from "../edge/listen_to_session.ts";
import { ListenStreams } from "../edge/listen_streams.ts";
import { ResponseWriter } from "../edge/response_writer.ts";
import { SessionStreams } from "../edge/session_streams.ts";
import { classifyRequest, type Eras } from "../era/classify_request.ts";
import type { Era, Visit, Wire } from "../era/era.ts";
import { textOf } from "../era/text_of.ts";
import { createLegacyEra } from "../era/legacy/legacy_era.ts";
import { endSession } from "../era/legacy/end_session.ts";
import { createLegacySessions } from "../era/legacy/create_legacy_sessions.ts";
import type { LegacySessions } from "../era/legacy/legacy_sessions.ts";
import { isModernRevision } from "../era/modern/modern_revisions.ts";
import { createModernEra } from "../era/modern/modern_era.ts";
import type { Feed } from "../features/feed.ts";
import type { ErrorOutcome, Outcome } from "../features/outcome.ts";
import { refuseFull } from "../features/refuse_full.ts";
import { closeFeed } from "../features/subscriptions/close_feed.ts";
import type { Registry } from "../features/registry.ts";
import type { Gate } from "../gate/admit.ts";
import { CallSlots } from "../gate/call_slots.ts";
import { ListenSlots } from "../gate/listen_slots.ts";
import type { LimitContext } from "../gate/charge_limits.ts";
import { readServerLimits } from "../gate/server_limits.ts";
import { type Around, tellRefused } from "../methods/around.ts";
import { runMethod } from "../methods/run_method.ts";
import { type Awaitable, isThenable } from "../ports/awaitable.ts";
import type { HostContext } from "../ports/host_context.ts";
import type { Logger } from "../ports/logger.ts";
import { PATIENCE, TURN } from "../ports/outlasts.ts";
import { serialize } from "../present/serialize.ts";
import { ErrorCode } from "../protocol/error_code.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RequestId } from "../protocol/json_rpc.ts";
import { isRefusal, type Refusal } from "../protocol/refusal.ts";
import type { Settings } from "../settings.ts";
import type { ServerOptions } from "../settings/server_options.ts";
import { Rounds } from "./rounds.ts";

/** What a server serves, and how. */
export interface RequestFlowOptions {
  /** The options of the server. */
  readonly settings: Settings;
  /** What it offers. */
  readonly catalogue: Catalogue;
  /** Where limits count. */
  readonly limiting: LimitContext;
  /** Makes the store; absent where it was there from the start. */
  readonly openStore: ((host: HostContext) => void) | undefined;
  /** Where events go. */
  readonly log: Logger;
  /** What wraps every call. */
  readonly around: readonly Around[];
}

/**
 * The way of a request through the rooms, from `Request` to `Response`. READ FIRST: `#serve` has one
 * line per room.
 */
export class RequestFlow {
  /** The generations of the protocol that are served. */
  readonly eras: Eras;
  readonly #settings: Settings;
  readonly #sessions: LegacySessions | undefined;
  readonly #streams: SessionStreams;
  readonly #listens: ListenStreams;
  readonly #allowed: string;
  readonly #policy: OriginPolicy;
  readonly #metadata: ResourceMetadata | undefined;
  readonly #answering: AnswerOptions;
  readonly #calling: CallDefaults;
  readonly #host: NonNullable<ServerOptions["host"]>;
  readonly #identification: Identification;
  readonly #slots: CallSlots;
  readonly #rounds: Rounds;
  readonly #log: Logger;
  readonly #around: readonly Around[];
  readonly #writer: ResponseWriter;
  readonly #servedWriter: ResponseWriter;
  #hasServed = false;
  #inFlight = 0;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  /** @throws {ConfigurationError} when options do not go together. */
  constructor(options: RequestFlowOptions) {
    const { settings, catalogue, limiting, openStore, log, around } = options;
    const { auth, clock, publicUrl, trustedProxies } = settings;
    const { host = createDefaultHost(trustedProxies), maxProgressReports } = settings;
    auth?.checkServer?.({ publicUrl, hasHost: settings.host !== undefined });
    const limits = readServerLimits(settings.limits);
    this.#settings = settings;
    this.#log = log;
    this.#around = around;
    this.#host = openStore === undefined ? host : (request, ...platform) => {
      const context = host(request, ...platform);
      openStore(context);
      return context;
    };
    this.#policy = createOriginPolicy({ ...settings, hasAuth: auth !== undefined });
    this.#metadata = createResourceMetadata(settings, () => declaredScopes(catalogue));
    this.#writer = new ResponseWriter(undefined, false, this.#metadata?.url);
    this.#servedWriter = new ResponseWriter(undefined, true, this.#metadata?.url);
    const authenticate = createAuthentication(settings, this.#metadata);
    this.#identification = createIdentification(authenticate, limits, limiting);
    this.#slots = new CallSlots(limits);
    this.#rounds = new Rounds(settings, limiting, log);
    this.#sessions = createLegacySessions(settings, limiting.store, log);
    this.#allowed = allowedMethods(this.#sessions);
    const slots = new ListenSlots(settings);
    this.eras = {
      modern: createModernEra(catalogue, slots),
      legacy: createLegacyEra(catalogue, this.#sessions),
    };
    const { streaming, streamAfterMs, keepAliveMs, streamMaxAgeMs: maxAgeMs } = settings;
    const beatMs = Math.min(keepAliveMs, Math.max(streamAfterMs, 10), 1000);
    const heartbeat = new Heartbeat(beatMs, clock);
    this.#streams = new SessionStreams({ ...settings, maxAgeMs, heartbeat, log });
    this.#listens = new ListenStreams({
      ...settings,
      slots,
      log,
      writeLast: (id) => textOf(this.eras.modern.encode(closeFeed(id), id).body),
    });
    const mayStream = streaming === "auto";
    this.#answering = { mayStream, streamAfterMs, keepAliveMs, heartbeat, clock };
    this.#calling = { log, maxProgressReports, maxRounds: this.#rounds.maxRounds };
  }

  /** Whether a request has ever come: before, nobody knows a list that could change. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  /** Answers a request; never rejects. */
  readonly fetch = (request: Request, ...platform: readonly unknown[]): Promise<Response> => {
    this.#inFlight++;
    this.#hasServed = true;
    return this.#serve(request, platform);
  };

  /** Sends a message to a legacy session. @returns Whether it listens. */
  async notify(
    sessionId: string,
    { method, params }: { readonly method: string; readonly params?: JsonObject },
  ): Promise<boolean> {
    const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
    return await this.#sessions?.notify(sessionId, serialize(message)) ?? false;
  }

  /** Takes no more requests. @returns Once those in flight are answered. */
  close(): Promise<void> {
    this.#streams.close();
    this.#listens.close();
    this.#sessions?.close();
    return this.#closing ??= new Promise((resolve) => {
      if (this.#inFlight === 0) resolve();
      else this.#drained = resolve;
    });
  }

  /** The way of a request: each room takes one noun and returns the next, or a refusal. */
  async #serve(request: Request, platform: readonly unknown[]): Promise<Response> {
    try {
      const { headers, method } = request;
      const origin = headers.get("origin");
      const writer = this.#writerFor(origin, platform.length > 0);
      if (this.#closing !== undefined) return this.#refuse(CLOSING, request, this.#writer);
      // Of any method: proxies tend to let these paths pass without asking who comes.
      if (isWellKnown(request.url)) {
        return this.#metadata?.answer(request) ??
          this.#refuse(NOT_FOUND, request, this.#writer);
      }
      const refused = refuseSource(request, origin, this.#policy);
      if (refused !== undefined) return this.#refuse(refused, request, this.#writer);
      if (method === "OPTIONS") return writer.preflight(request, this.#allowed);
      if (method === "DELETE" || method === "GET") {
        return await this.#serveSession(request, writer, platform);
      }
      if (method !== "POST") return this.#refuse(refuseMethod(this.#allowed), request, writer);

      const accepted = checkHead(request, this.#settings.strictAccept);
      if (isRefusal(accepted)) return this.#refuse(accepted, request, writer);
      const body = readBody(request, this.#settings);
      // Here, since nearly every body is there, and none of those pays for a promise.
      for (let i = 0; i < PATIENCE && body.text === undefined; i++) await TURN;
      const text = body.text ?? await body.settle();
      if (typeof text !== "string") return this.#refuse(text, request, writer);
      const message = parseMessage(text);
      if (isRefusal(message)) return this.#refuse(message, request, writer);
      const version = headers.get("mcp-protocol-version");
      const route = classifyRequest({ message, version, headers }, this.eras);
      if (isRefusal(route)) return this.#refuse(route, request, writer);
      const host = this.#host(request, ...platform);
      const { id } = message;
      const { dispatchTimeoutMs: ms } = this.#settings;
      const arrival = { host, id, isNotification: id === undefined };
      let caller = identify(request, this.#identification, arrival);
      if (isThenable(caller)) caller = await inTime(caller, { ms, what: "Authentication", id });
      if (isRefusal(caller)) return this.#refuse(caller, request, writer);
      const entering = route.era.enter?.(route, headers, { caller, host });
      const visit = isThenable(entering)
        ? await inTime(entering, { ms, what: "Finding the session", id })
        : entering ?? route;
      if (isRefusal(visit)) return this.#refuse(visit, request, writer);
      if (id === undefined) {
        route.era.notice?.(message, visit);
        return writer.accepted();
      }

      const client = { writer, acceptsStream: accepted.stream };
      const exchange = new Exchange(request, route, this.#answering, client);
      const { method: called, params } = message;
      const receiving = route.era.asksByResult && this.#rounds.isAnswered(called, params)
        ? this.#rounds.receive({ caller, host, method: called, params })
        : undefined;
      const input = receiving && await inTime(receiving, { ms, what: "Reading the answers", id });
      if (input !== undefined) {
        if (isRefusal(input)) return this.#refuse(input, request, writer);
        if ("type" in input) return await exchange.respond(route.era.encode(input, id));
      }
      const by = { request, host };
      const call = new RequestCall(route, visit, caller, exchange, this.#calling, by, input);
      const response = exchange.respond(this.#run(id, route.era, visit, call, exchange));
      return isThenable(response) ? await response : response;
    } catch (cause) {
      return this.#fault(cause);
    } finally {
      this.#leave();
    }
  }

  #fault(cause: unknown): Response {
    const reference = crypto.randomUUID();
    const message = "Answering a request failed";
    this.#log({ level: "error", event: "request.fault", message, cause, fields: { reference } });
    tellRefused(this.#around, { reason: "fault", status: 500 });
    return this.#writer.fault(reference);
  }

  /** A call may outlast its response, which is a stream then. */
  #run(
    id: RequestId,
    era: Era,
    visit: Visit,
    call: RequestCall,
    exchange: Exchange,
  ): Awaitable<Wire> {
    const full = this.#slots.findFull(call);
    const outcome = full === undefined
      ? runMethod(era.methods, call, this.#around)
      : this.#refuseFull(full, call);
    if (!isThenable(outcome) && outcome.type !== "input_required") return era.encode(outcome, id);
    this.#inFlight++;
    const forget = era.track?.(visit, id, () => exchange.cancel());
    const release = this.#slots.take(call);
    const encode = (settled: Outcome): Awaitable<Wire> => {
      if (settled.type === "input_required") {
        return this.#rounds.seal(settled, call).then((sealed) => era.encode(sealed, id));
      }
      const feed = settled.type === "complete" ? settled.feed : undefined;
      return feed === undefined
        ? era.encode(settled, id)
        : this.#listen(id, era, call, feed, exchange.acceptsStream);
    };
    return Promise.resolve(outcome).then(encode).finally(() => {
      forget?.();
      release();
      this.#leave();
    });
  }

  #refuseFull(full: "caller" | "process", call: RequestCall): ErrorOutcome {
    const outcome = refuseFull(full, call);
    const reason = full === "process" ? "busy" : "rate-limited";
    tellRefused(this.#around, { reason, status: outcome.status ?? 200 });
    return outcome;
  }

  /** Opens the stream of a feed, whose result comes last. */
  async #listen(
    id: RequestId,
    era: Era,
    call: RequestCall,
    feed: Feed,
    acceptsStream: boolean,
  ): Promise<Wire> {
    const opened = await this.#listens.open(feed, { id, call, acceptsStream });
    return "type" in opened ? era.encode(opened, id) : { status: 200, body: "", stream: opened };
  }

  #leave(): void {
    if (--this.#inFlight === 0) this.#drained?.();
  }

  /** GET listens to a session, DELETE ends it; only the caller's own (H-28, H-30). */
  async #serveSession(
    request: Request,
    writer: ResponseWriter,
    platform: readonly unknown[],
  ): Promise<Response> {
    const { headers, method } = request;
    const version = headers.get("mcp-protocol-version");
    const isModern = version !== null && isModernRevision(version);
    if (isModern || (method === "DELETE" && this.#sessions === undefined)) {
      return this.#refuse(refuseMethod(this.#allowed), request, writer);
    }
    const host = this.#host(request, ...platform);
    const { dispatchTimeoutMs: ms } = this.#settings;
    let caller = identify(request, this.#identification, { host, id: undefined });
    if (isThenable(caller)) caller = await inTime(caller, { ms, what: "Authentication" });
    if (isRefusal(caller)) return this.#refuse(caller, request, writer);
    const by = { caller, host };
    if (method === "GET") {
      const body = await listenToSession(headers, this.#sessions, this.#streams, { ...by, ms });
      if (body === undefined) return this.#refuse(refuseMethod(this.#allowed), request, writer);
      return isRefusal(body) ? this.#refuse(body, request, writer) : writer.stream(body);
    }
    const ending = endSession(headers, this.#sessions!, by);
    const refused = await inTime(ending, { ms, what: "Ending the session" });
    return refused === undefined ? writer.ended() : this.#refuse(refused, request, writer);
  }

  #refuse(refusal: Refusal, request: Request, writer: ResponseWriter): Response {
    logRefusal(this.#log, refusal, request);
    tellRefused(this.#around, { reason: refusal.refused, status: refusal.status });
    return writer.refusal(refusal);
  }

  #writerFor(origin: string | null, isServed: boolean): ResponseWriter {
    if (origin !== null) return new ResponseWriter(origin, isServed, this.#metadata?.url);
    return isServed ? this.#servedWriter : this.#writer;
  }
}

function allowedMethods(sessions: LegacySessions | undefined): string {
  if (sessions === undefined) return "POST, OPTIONS";
  return sessions.feeds === undefined ? "POST, DELETE, OPTIONS" : "GET, POST, DELETE, OPTIONS";
}

const CLOSING: Refusal = {
  refused: "closing",
  status: 503,
  error: { code: ErrorCode.internalError, message: "The server is shutting down" },
  headers: { "retry-after": "1" },
};

const NOT_FOUND: Refusal = {
  refused: "not-found",
  status: 404,
  error: { code: ErrorCode.invalidRequest, message: "Not found" },
};

function isWellKnown(url: string): boolean {
  return url.includes("/.well-known/") && new URL(url).pathname.startsWith("/.well-known/");
}

/** Every scope that something on the server asks for. */
function declaredScopes({ tools, resources, prompts }: Catalogue): readonly string[] {
  const registries: readonly Registry<{ readonly gate: Gate }>[] = [
    tools,
    resources.concrete,
    resources.templates,
    prompts,
  ];
  return registries.flatMap((registry) => registry.all().flatMap(({ gate }) => gate.scopes));
}
