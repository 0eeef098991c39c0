import { createIdentification } from "./auth/create_identification.ts";
import { type Identification, identify } from "./auth/identify.ts";
import { createAuthentication } from "./auth/authentication.ts";
import { createResourceMetadata, type ResourceMetadata } from "./auth/resource_metadata.ts";
import { checkHead, refuseMethod, refuseSource } from "./edge/check_head.ts";
import { createDefaultHost } from "./edge/default_host.ts";
import { type AnswerOptions, Exchange } from "./edge/exchange.ts";
import { parseMessage } from "./edge/parse_message.ts";
import { readBody } from "./edge/read_body.ts";
import { logRefusal } from "./edge/log_refusal.ts";
import { Heartbeat } from "./edge/heartbeat.ts";
import { createOriginPolicy, type OriginPolicy } from "./edge/origin_policy.ts";
import { type CallDefaults, RequestCall } from "./edge/request_call.ts";
import { listenToSession } from "./edge/listen_to_session.ts";
import { ResponseWriter } from "./edge/response_writer.ts";
import { SessionStreams } from "./edge/session_streams.ts";
import { classifyRequest, type Eras } from "./era/classify_request.ts";
import type { Route, Wire } from "./era/era.ts";
import { createLegacyEra } from "./era/legacy/legacy_era.ts";
import { endSession } from "./era/legacy/end_session.ts";
import { createLegacySessions } from "./era/legacy/create_legacy_sessions.ts";
import type { LegacySessions } from "./era/legacy/legacy_sessions.ts";
import { isModernRevision } from "./era/modern/modern_revisions.ts";
import { createModernEra } from "./era/modern/modern_era.ts";
import {
  bindPrompt,
  type PromptBinding,
  type PromptOptions,
} from "./features/prompts/prompt_binding.ts";
import type { PromptAnswer } from "./features/prompts/prompt_messages.ts";
import { InProcessCall } from "./features/in_process_call.ts";
import type { CalledTool, InProcessCaller, ListedTools } from "./features/in_process.ts";
import type { Outcome } from "./features/outcome.ts";
import { refusedByGate } from "./features/refused_by_gate.ts";
import { type Registration, Registry } from "./features/registry.ts";
import { bindResource } from "./features/resources/resource_binding.ts";
import type { ResourceOptions } from "./features/resources/resource_options.ts";
import { ResourceRegistry } from "./features/resources/resource_registry.ts";
import { simpleTool, type SimpleToolOptions } from "./features/tools/simple_tool.ts";
import { bindTool, type ToolBinding } from "./features/tools/tool_binding.ts";
import { callCore } from "./features/tools/call_core.ts";
import { explainCall, type ExplainedStep } from "./features/tools/explain_call.ts";
import { createListTools } from "./features/tools/list_tools.ts";
import { findOmission } from "./features/tools/tool_filter.ts";
import type { AnyToolOptions, ToolOptionsOf } from "./features/tools/tool_options.ts";
import { checkDemands } from "./features/tools/check_demands.ts";
import { warnOfTool } from "./features/tools/warn_of_tool.ts";
import type { Gate } from "./gate/admit.ts";
import type { Affordance } from "./kernel/affordance.ts";
import type { SpecRegistry } from "./kernel/spec_registry.ts";
import { CallSlots } from "./gate/call_slots.ts";
import type { LimitContext } from "./gate/charge_limits.ts";
import { overLimit } from "./gate/over_limit.ts";
import { readServerLimits } from "./gate/server_limits.ts";
import type { NoSeeds, Pool, SeedValues } from "./kernel/pool.ts";
import type { SelectorSpec, Spec, SpecKind } from "./kernel/spec.ts";
import type {
  AnyOutput,
  Arguments,
  NoInput,
  NoParameters,
  NoTarget,
  RunPool,
} from "./kernel/spec_options.ts";
import type { Around } from "./methods/around.ts";
import { logCalls } from "./methods/log_calls.ts";
import { runMethod } from "./methods/run_method.ts";
import { serialize } from "./present/serialize.ts";
import { type Awaitable, isThenable } from "./ports/awaitable.ts";
import { createLogger, type Logger } from "./ports/logger.ts";
import { ConfigurationError } from "./ports/configuration_error.ts";
import { anonymous, type Caller, type Principal } from "./ports/principal.ts";
import type { Implementation } from "./protocol/descriptors.ts";
import { ErrorCode } from "./protocol/error_code.ts";
import type { JsonObject } from "./protocol/json.ts";
import type { RpcError } from "./protocol/rpc_error.ts";
import type { RequestId } from "./protocol/json_rpc.ts";
import { isRefusal, type Refusal } from "./protocol/refusal.ts";
import { memoryStore } from "./stores/memory_store.ts";
import type { ArgumentsOf, Parameters } from "./schema/parameter.ts";
import type { InputOf, Schema } from "./schema/standard_schema.ts";
import { readSettings, type ServerOptions, type Settings } from "./settings.ts";

/**
 * An MCP server: operations are registered once, and one `Request -> Response` function serves them.
 *
 * A request is a value that moves one way: the edge reads it, an era tells what it means, `auth`
 * tells who sent it, a method runs, and the edge writes the outcome. Building a server does no I/O,
 * sets no timer and draws no random number, so that it can stand at module level on every platform.
 *
 * @example
 * ```ts
 * import { McpServer, param, unrestricted } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const server = new McpServer({ name: "hello", version: "1.0.0" });
 * server.tool("greet", {
 *   description: "Greets someone.",
 *   effect: "read",
 *   reads: { name: param.string({ required: true, help: "Whom to greet." }) },
 *   permissions: [unrestricted],
 * }, ({ args }) => `Hello ${args.name}`);
 *
 * const response = await server.fetch(new Request("http://localhost/", { method: "GET" }));
 * assertEquals(response.status, 405); // clients send a POST
 * ```
 */
export class McpServer<User extends Principal = Principal, Seeds extends SeedValues = NoSeeds> {
  readonly #settings: Settings;
  readonly #tools: Registry<ToolBinding> = new Registry("tool", "name");
  readonly #resources: ResourceRegistry = new ResourceRegistry();
  readonly #prompts: Registry<PromptBinding> = new Registry("prompt", "name");
  readonly #eras: Eras;
  readonly #sessions: LegacySessions | undefined;
  readonly #streams: SessionStreams;
  readonly #allowed: string;
  readonly #policy: OriginPolicy;
  readonly #metadata: ResourceMetadata | undefined;
  readonly #answering: AnswerOptions;
  readonly #calling: CallDefaults;
  readonly #host: NonNullable<ServerOptions["host"]>;
  readonly #identification: Identification;
  readonly #slots: CallSlots;
  readonly #binding: Settings & { readonly limiting: LimitContext };
  readonly #log: Logger;
  readonly #around: readonly Around[];
  readonly #writer: ResponseWriter;
  readonly #servedWriter: ResponseWriter;
  #inFlight = 0;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  /**
   * Builds a server.
   *
   * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
   */
  constructor(options: ServerOptions<User, Seeds>) {
    const settings = readSettings(options as object as ServerOptions);
    const { publicUrl, auth, clock, trustedProxies } = settings;
    const { stores: store = memoryStore({ clock }) } = settings;
    const { host = createDefaultHost(trustedProxies) } = settings;
    const limits = readServerLimits(settings.limits);
    const limiting = { store, now: () => clock.now() };
    this.#settings = settings;
    this.#log = createLogger(settings.log, settings.logLevel);
    this.#around = aroundOf(settings, this.#log);
    this.#host = host;
    this.#policy = createOriginPolicy({ ...settings, hasAuth: auth !== undefined });
    auth?.checkServer?.({ publicUrl, hasHost: settings.host !== undefined });
    this.#metadata = createResourceMetadata(settings, () => {
      const { concrete, templates } = this.#resources;
      return declaredScopes(this.#tools, concrete, templates, this.#prompts);
    });
    this.#writer = new ResponseWriter(undefined, false, this.#metadata?.url);
    this.#servedWriter = new ResponseWriter(undefined, true, this.#metadata?.url);
    const serverInfo = identityOf(settings);
    const registries = { tools: this.#tools, resources: this.#resources, prompts: this.#prompts };
    const catalogue = { ...settings, ...registries, serverInfo };
    const authenticate = createAuthentication(settings, this.#metadata);
    this.#identification = createIdentification(authenticate, limits, limiting);
    this.#slots = new CallSlots(limits.maxInFlight);
    this.#binding = { ...settings, limiting };
    this.#sessions = createLegacySessions(settings, store, this.#log);
    this.#allowed = allowedMethods(this.#sessions);
    this.#eras = {
      modern: createModernEra(catalogue),
      legacy: createLegacyEra(catalogue, this.#sessions),
    };
    const { streaming, streamAfterMs, keepAliveMs } = settings;
    const heartbeat = new Heartbeat(
      Math.min(keepAliveMs, Math.max(streamAfterMs, 10), 1000),
      clock,
    );
    this.#streams = new SessionStreams({
      ...settings,
      maxAgeMs: settings.streamMaxAgeMs,
      heartbeat,
      log: this.#log,
    });
    const mayStream = streaming === "auto";
    this.#answering = { mayStream, streamAfterMs, keepAliveMs, heartbeat, clock };
    this.#calling = { log: this.#log, maxProgressReports: settings.maxProgressReports };
  }

  /**
   * Serves a spec as a tool, also while requests are served; its kind decides which options there are.
   *
   * @returns How to stop serving it.
   * @throws {ConfigurationError} when the spec or an option is wrong, naming the tool and the
   * property.
   */
  registerTool<const Kind extends SpecKind>(
    spec: Spec<User, Seeds, Kind>,
    options: ToolOptionsOf<NoInfer<Kind>>,
  ): Registration {
    const tool = bindTool(spec, options, this.#binding);
    checkDemands(tool, this.#settings);
    const registration = this.#tools.add(tool.name, tool);
    warnOfTool(tool, this.#log);
    return registration;
  }

  /**
   * Serves a spec that reads one row as a resource, or as a template of resources; also while
   * requests are served.
   *
   * @returns How to stop serving it.
   * @throws {ConfigurationError} when the spec or an option is wrong, naming the resource and the
   * property.
   *
   * @example
   * ```ts
   * import { McpServer, param, selectorSpec, unrestricted } from "@limen/mcp";
   *
   * const server = new McpServer({ name: "notes", version: "1.0.0" });
   * const note = selectorSpec({
   *   kind: "retrieve",
   *   reads: { id: param.integer({ required: true }) },
   *   permissions: [unrestricted],
   *   select: ({ args }) => args.id === 1 ? "# Hello" : undefined, // none is told as not found
   * });
   * server.registerResource(note, {
   *   uri: "notes://{id}",
   *   name: "note",
   *   encoding: "text",
   *   mimeType: "text/markdown",
   * });
   * ```
   */
  registerResource(
    spec: SelectorSpec<User, Seeds, "retrieve">,
    options: ResourceOptions<User>,
  ): Registration {
    return this.#resources.add(bindResource(spec, options as ResourceOptions, this.#binding));
  }

  /**
   * Serves a prompt: messages made from a few arguments, for a user to pick; also while requests
   * are served.
   *
   * @param name The prompt's name.
   * @param options Its arguments, who may get it, and how it is listed.
   * @param render Makes its messages: a text is what the user says.
   * @returns How to stop serving it.
   * @throws {ConfigurationError} when an option is wrong, naming the prompt and the option.
   *
   * @example
   * ```ts
   * import { McpServer, param, unrestricted } from "@limen/mcp";
   *
   * const server = new McpServer({ name: "reviews", version: "1.0.0" });
   * server.registerPrompt("review", {
   *   description: "Asks for a review of some code.",
   *   reads: { language: param.string({ required: true, help: "What it is written in." }) },
   *   complete: { language: ({ value }) => ["rust", "ruby"].filter((one) => one.startsWith(value)) },
   *   permissions: [unrestricted],
   * }, ({ args }) => `Review this ${args.language} code.`);
   * ```
   */
  registerPrompt<Reads extends Parameters = NoParameters>(
    name: string,
    options: PromptOptions<User, Reads>,
    render: (pool: Pool<User, ArgumentsOf<Reads>>) => Awaitable<PromptAnswer>,
  ): Registration {
    return this.#prompts.add(name, bindPrompt(name, options, render, this.#binding));
  }

  /**
   * Declares an operation and serves it as a tool, in one step.
   *
   * @param name The tool's name.
   * @param options What the operation takes and gives, who may run it, and what it does.
   * @param run Runs it.
   * @returns How to stop serving it.
   * @throws {ConfigurationError} when an option is wrong, naming the tool and the property.
   */
  tool<
    Reads extends Parameters = NoParameters,
    Shapes extends Parameters = NoParameters,
    In extends Schema = NoInput,
    Out extends Schema = AnyOutput,
    Given extends SeedValues = NoSeeds,
  >(
    name: string,
    options: SimpleToolOptions<User, Seeds, Reads, Shapes, In, Out, Given>,
    run: (
      pool: RunPool<User, Seeds, Arguments<Reads, In>, NoTarget, NoTarget, Given>,
    ) => Awaitable<InputOf<Out>>,
  ): Registration {
    const { spec, binding } = simpleTool(name, options, run, this.#settings.seeds);
    return this.registerTool(spec as Spec<User, Seeds>, binding as ToolOptionsOf<SpecKind>);
  }

  /**
   * Serves every spec of a registry as a tool under its name: all of them, or none.
   *
   * @param registry The specs.
   * @param overrides Options by name; `description` and the like.
   * @returns How to stop serving each, in order.
   * @throws {ConfigurationError} when a spec or an option is wrong, or a name is overridden that the
   * registry lacks; nothing is served then.
   */
  registerTools(
    registry: SpecRegistry<Spec<User, Seeds>>,
    overrides: Readonly<Record<string, Omit<AnyToolOptions, "name">>> = {},
  ): readonly Registration[] {
    const stray = Object.keys(overrides).find((name) => registry.get(name) === undefined);
    if (stray !== undefined) {
      throw new ConfigurationError(`Cannot register tools: "${stray}" is not in the registry`);
    }
    const tools = registry.all().map(({ name, spec }) => {
      const tool = bindTool(spec, { ...overrides[name], name }, this.#binding);
      checkDemands(tool, this.#settings);
      if (this.#tools.get(name) === undefined) return tool;
      throw new ConfigurationError(`Cannot register ${tool.operation.where}: the name is taken`);
    });
    return tools.map((tool) => {
      warnOfTool(tool, this.#log);
      return this.#tools.add(tool.name, tool);
    });
  }

  /**
   * Lists one page of the tools, as the wire does.
   *
   * @returns The page, or the error of a bad cursor.
   */
  async listTools(
    options: InProcessCaller<User> & {
      readonly cursor?: string;
      /** Lists also what no condition allows at the moment. Default `false`. */
      readonly includeUnavailable?: boolean;
    } = {},
  ): Promise<ListedTools | RpcError> {
    const { cursor, includeUnavailable = false } = options;
    const params = cursor === undefined ? {} : { cursor };
    const call = this.#inProcess("tools/list", params, options);
    if (!includeUnavailable) return await this.#answer(call);
    const { pageSize, catalogTtlMs: ttlMs, filterListings: byPermission } = this.#settings;
    const list = createListTools(this.#tools, {
      pageSize,
      ttlMs,
      byPermission,
      byCondition: false,
      outputSchema: (schema) => schema,
    });
    return this.#decode(await list(call));
  }

  /**
   * Calls a tool as the wire does: scopes, permissions, limits and the deadline apply.
   *
   * @returns The result, or the JSON-RPC error.
   */
  async invokeTool(
    name: string,
    args: JsonObject = {},
    options: InProcessCaller<User> = {},
  ): Promise<CalledTool | RpcError> {
    return await this.#answer(this.#inProcess("tools/call", { name, arguments: args }, options));
  }

  /**
   * Calls the spec behind a tool, without the transport: no scopes, no limits, no deadline.
   *
   * @returns The result that the wire would carry.
   * @throws {NotPermitted} when the spec's permissions refuse the caller.
   * @throws {RangeError} when there is no such tool.
   */
  async callTool(
    name: string,
    args: JsonObject = {},
    options: Omit<InProcessCaller<User>, "scopes"> = {},
  ): Promise<CalledTool> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new RangeError(`Unknown tool: ${JSON.stringify(name)}`);
    const call = this.#inProcess("tools/call", { name, arguments: args }, options);
    return this.#decode(await callCore(tool, args, call)) as CalledTool;
  }

  /** Which tools a listing leaves out at the moment, each with the condition that does not hold. */
  async unavailableTools(
    options: InProcessCaller<User> = {},
  ): Promise<ReadonlyMap<string, Affordance>> {
    const call = this.#inProcess("tools/list", {}, options);
    const rules = { byPermission: this.#settings.filterListings, byCondition: true };
    const unavailable = new Map<string, Affordance>();
    for (const tool of this.#tools.all()) {
      const omission = await findOmission(tool, call, rules);
      if (typeof omission === "object") unavailable.set(tool.name, omission);
    }
    return unavailable;
  }

  /**
   * Asks everything that stands before a call, and answers step by step why it would pass or not: for
   * operators and tests, never for the wire. Runs nothing and charges nobody.
   */
  async explain(
    options: InProcessCaller<User> & { readonly tool: string; readonly args?: JsonObject },
  ): Promise<readonly ExplainedStep[]> {
    const { tool: name, args = {} } = options;
    const call = this.#inProcess("tools/call", { name, arguments: args }, options);
    return await explainCall(this.#tools.get(name), args, call);
  }

  /**
   * Answers a request; bound, so that it can be handed on. Never rejects.
   *
   * @param request The request, with its body unread.
   * @param platform What the platform passes beside it, for the option `host`.
   */
  readonly fetch = async (request: Request, ...platform: readonly unknown[]): Promise<Response> => {
    this.#inFlight++;
    try {
      return await this.#serve(request, platform);
    } catch (cause) {
      const reference = crypto.randomUUID();
      const message = "Answering a request failed";
      this.#log({ level: "error", event: "request.fault", message, cause, fields: { reference } });
      return this.#writer.fault(reference);
    } finally {
      this.#leave();
    }
  };

  /**
   * Sends a notification to a legacy session, whichever process its stream is open in.
   *
   * @param sessionId The value of `Mcp-Session-Id`.
   * @param notification Its method and parameters.
   * @returns Whether the session listens; `false` as well without a broker. With the option `replay`, a
   * client that does not listen gets it later.
   */
  async notify(
    sessionId: string,
    notification: { readonly method: string; readonly params?: JsonObject },
  ): Promise<boolean> {
    const { method, params } = notification;
    const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
    return await this.#sessions?.notify(sessionId, serialize(message)) ?? false;
  }

  /**
   * Stops taking requests, ends the streams of sessions, and resolves when the requests in flight are
   * answered.
   */
  close(): Promise<void> {
    this.#streams.close();
    this.#sessions?.close();
    return this.#closing ??= new Promise((resolve) => {
      if (this.#inFlight === 0) resolve();
      else this.#drained = resolve;
    });
  }

  /** The way of a request: each room takes one noun and returns the next, or a refusal. */
  async #serve(request: Request, platform: readonly unknown[]): Promise<Response> {
    const { headers, method } = request;
    const origin = headers.get("origin");
    const writer = this.#writerFor(origin, platform.length > 0);
    if (this.#closing !== undefined) return this.#refuse(CLOSING, request, this.#writer);
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
    const text = await readBody(request, this.#settings);
    if (typeof text !== "string") return this.#refuse(text, request, writer);
    const message = parseMessage(text);
    if (isRefusal(message)) return this.#refuse(message, request, writer);
    const route = classifyRequest({ message, headers }, this.#eras);
    if (isRefusal(route)) return this.#refuse(route, request, writer);
    const host = this.#host(request, ...platform);
    let caller = identify(request, this.#identification, { host, id: message.id });
    if (isThenable(caller)) caller = await caller;
    if (isRefusal(caller)) return this.#refuse(caller, request, writer);
    const entering = route.era.enter?.(route, headers, { caller, host });
    const visit = entering === undefined ? route : await entering;
    if (isRefusal(visit)) return this.#refuse(visit, request, writer);
    if (message.id === undefined) {
      route.era.notice?.(message, visit);
      return writer.accepted();
    }

    const client = { writer, acceptsStream: accepted.stream };
    const exchange = new Exchange(request, route, this.#answering, client);
    const call = new RequestCall(route, visit, caller, exchange, this.#calling, { request, host });
    const forget = route.era.track?.(visit, message.id, () => exchange.cancel());
    return exchange.respond(this.#run(route, call, message.id, forget));
  }

  /** A call may outlast its response, which is a stream then. */
  #run({ era }: Route, call: RequestCall, id: RequestId, forget?: () => void): Awaitable<Wire> {
    const outcome = this.#slots.isFull(call)
      ? refusedByGate(overLimit(1), { where: call.method }, this.#log)
      : runMethod(era.methods, call, this.#around);
    if (!isThenable(outcome)) {
      forget?.();
      return era.encode(outcome, id);
    }
    this.#inFlight++;
    const release = this.#slots.take(call);
    return outcome.then((settled) => era.encode(settled, id)).finally(() => {
      forget?.();
      release();
      this.#leave();
    });
  }

  #inProcess(
    method: string,
    params: JsonObject,
    { user, scopes, request, host = {}, signal }: InProcessCaller<User>,
  ): InProcessCall {
    const caller: Caller = {
      user: user ?? anonymous,
      ...(scopes === undefined ? {} : { token: { scopes } }),
    };
    return new InProcessCall(method, params, { caller, request, host, signal, log: this.#log });
  }

  async #answer<T>(call: InProcessCall): Promise<T | RpcError> {
    return this.#decode(await runMethod(this.#eras.modern.methods, call, this.#around));
  }

  #decode<T>(outcome: Outcome): T | RpcError {
    if (outcome.type === "error") return outcome.error;
    return JSON.parse(asText(this.#eras.modern.encode(outcome, 0).body)).result;
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
    const caller = await identify(request, this.#identification, { host, id: undefined });
    if (isRefusal(caller)) return this.#refuse(caller, request, writer);
    const by = { caller, host };
    if (method === "GET") {
      const body = await listenToSession(headers, this.#sessions, this.#streams, by);
      if (body === undefined) return this.#refuse(refuseMethod(this.#allowed), request, writer);
      return isRefusal(body) ? this.#refuse(body, request, writer) : writer.stream(body);
    }
    const refused = await endSession(headers, this.#sessions!, by);
    return refused === undefined ? writer.ended() : this.#refuse(refused, request, writer);
  }

  #refuse(refusal: Refusal, request: Request, writer: ResponseWriter): Response {
    logRefusal(this.#log, refusal, request);
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

function aroundOf({ around = [] }: Settings, { debug }: Logger): readonly Around[] {
  return debug === undefined ? around : [logCalls(debug), ...around];
}

function asText(body: Wire["body"]): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
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
function declaredScopes(
  ...registries: readonly Registry<{ readonly gate: Gate }>[]
): readonly string[] {
  return registries.flatMap((registry) => registry.all().flatMap(({ gate }) => gate.scopes));
}

function identityOf(settings: Settings): Implementation {
  const { name, version, title, description, websiteUrl, icons } = settings;
  return {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined || icons.length === 0 ? {} : { icons }),
  };
}
