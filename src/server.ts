import {
  bindPrompt,
  type PromptOptions,
  type RendersPrompt,
} from "./features/prompts/prompt_binding.ts";
import type {
  CalledTool,
  InProcessCaller,
  ListedTools,
  ListOptions,
} from "./features/in_process.ts";
import type { ListKind } from "./features/list_kind.ts";
import type { Registration } from "./features/registry.ts";
import { bindResource } from "./features/resources/resource_binding.ts";
import type { ResourceOptions } from "./features/resources/resource_options.ts";
import type { ToolDispatcherOptions } from "./features/tools/dispatchers/dispatcher_options.ts";
import { type CatalogueReport, reportCatalogue } from "./features/tools/report_catalogue.ts";
import { type RunsTool, simpleTool, type SimpleToolOptions } from "./features/tools/simple_tool.ts";
import type { ExplainedStep } from "./features/tools/explain_call.ts";
import type { AnyToolOptions, ToolOptionsOf } from "./features/tools/tool_options.ts";
import type { Affordance } from "./kernel/affordance.ts";
import type { SpecRegistry } from "./kernel/spec_registry.ts";
import type { NoSeeds, Pool, SeedValues } from "./kernel/pool.ts";
import type { SelectorSpec, Spec, SpecKind } from "./kernel/spec.ts";
import type { AnyOutput, NoInput, NoParameters } from "./kernel/spec_options.ts";
import type { HostContext } from "./ports/host_context.ts";
import type { Principal } from "./ports/principal.ts";
import type { JsonObject } from "./protocol/json.ts";
import type { RpcError } from "./protocol/rpc_error.ts";
import type { ArgumentsOf, Parameters } from "./schema/parameter.ts";
import type { StandardSchema } from "./schema/standard_schema.ts";
import { readSettings } from "./settings.ts";
import type { ServerOptions } from "./settings/server_options.ts";
import { buildServer, type ServerParts } from "./server/build_server.ts";

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
  readonly #parts: ServerParts;

  /**
   * Answers a request; bound, so that it can be handed on. Never rejects.
   *
   * @param request The request, with its body unread.
   * @param platform What the platform passes beside it, for the option `host`.
   */
  readonly fetch: (request: Request, ...platform: readonly unknown[]) => Promise<Response>;

  /**
   * Builds a server.
   *
   * @throws {ConfigurationError} when an option is unknown or wrong, naming it.
   */
  constructor(options: ServerOptions<User, Seeds>) {
    const parts = buildServer(readSettings(options as object as ServerOptions));
    this.#parts = parts;
    this.fetch = parts.flow.fetch;
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
    return this.#parts.catalogue.add(spec, options);
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
    return this.#parts.resources.add(
      bindResource(spec, options as ResourceOptions, this.#parts.binding),
    );
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
  registerPrompt<Reads extends Parameters = NoParameters, Asked = unknown, Answer = never>(
    name: string,
    options: PromptOptions<User, Reads>,
    render: RendersPrompt<Pool<User, ArgumentsOf<Reads>>, Asked, Answer>,
  ): Registration {
    return this.#parts.prompts.add(name, bindPrompt(name, options, render, this.#parts.binding));
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
    In extends StandardSchema = NoInput,
    Out extends StandardSchema = AnyOutput,
    Given extends SeedValues = NoSeeds,
    Asked = unknown,
    Answer = never,
    Shown = never,
    Sought = unknown,
    Gave = never,
  >(
    name: string,
    options: SimpleToolOptions<User, Seeds, Reads, Shapes, In, Out, Given, Shown, Sought, Gave>,
    run: RunsTool<User, Seeds, Reads, In, Out, Given, Asked, Answer>,
  ): Registration {
    const { spec, binding } = simpleTool(name, options, run, this.#parts.settings.seeds);
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
    return this.#parts.catalogue.addAll(registry as object as SpecRegistry<Spec>, overrides);
  }

  /**
   * Serves a dispatcher: one tool `{ tool, params, verify? }` that stands for all those registered
   * with its name as their `dispatcher`, so that a client lists one and not hundreds. A model asks it
   * for `tool: "help"`, and is told of what a listing would show to its caller.
   *
   * Every call is gated, limited and answered as one of the tool behind it. The hints of the dispatcher
   * are the worst of its tools.
   *
   * @param options Its name, what it is for, and whether its tools write.
   * @returns How to stop serving it, and with it the tools that stand behind it then.
   * @throws {ConfigurationError} when an option is wrong, naming the dispatcher and the option.
   *
   * @example
   * ```ts
   * import { McpServer, param, unrestricted } from "@limen/mcp";
   * import { assertEquals } from "@std/assert";
   *
   * const server = new McpServer({ name: "billing", version: "1.0.0" });
   * server.registerDispatcher({
   *   name: "invoices",
   *   description: "Reads invoices and payments.",
   *   effect: "read",
   * });
   * server.tool("invoices_count", {
   *   description: "Counts invoices.",
   *   effect: "read",
   *   reads: { status: param.string({ choices: ["open", "paid"] }) },
   *   permissions: [unrestricted],
   *   dispatcher: "invoices",
   * }, ({ args }) => args.status === "open" ? "3" : "7");
   *
   * const sent = { tool: "invoices_count", params: { status: "open" } };
   * const { content } = await server.callTool("invoices", sent);
   * assertEquals(content, [{ type: "text", text: "3" }]);
   * ```
   */
  registerDispatcher(options: ToolDispatcherOptions): Registration {
    return this.#parts.catalogue.addDispatcher(options);
  }

  /** Tells how much of a model's context each tool takes, and all of them together. */
  catalogueReport(): CatalogueReport {
    return reportCatalogue(this.#parts.tools);
  }

  /**
   * Lists one page of the tools, as the wire does.
   *
   * @returns The page, or the error of a bad cursor.
   */
  async listTools(options: ListOptions<User> = {}): Promise<ListedTools | RpcError> {
    return await this.#parts.inProcess.listTools(options);
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
    return await this.#parts.inProcess.invokeTool(name, args, options);
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
    return await this.#parts.inProcess.callTool(name, args, options);
  }

  /** Which tools a listing leaves out at the moment, each with the condition that does not hold. */
  async unavailableTools(
    options: InProcessCaller<User> = {},
  ): Promise<ReadonlyMap<string, Affordance>> {
    return await this.#parts.inProcess.unavailableTools(options);
  }

  /**
   * Asks everything that stands before a call, and answers step by step why it would pass or not: for
   * operators and tests, never for the wire. Runs nothing and charges nobody.
   */
  async explain(
    options: InProcessCaller<User> & { readonly tool: string; readonly args?: JsonObject },
  ): Promise<readonly ExplainedStep[]> {
    const { tool, args = {} } = options;
    return await this.#parts.inProcess.explain(tool, args, options);
  }

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
    return await this.#parts.flow.notify(sessionId, notification);
  }

  /**
   * Runs a task that the executor has delivered, in whichever process: a job queue's worker calls it
   * with what it was handed. Does nothing for a task that somebody runs, that is over, or that does not
   * exist.
   *
   * @param taskId What `enqueue` was given.
   * @param options The pool's `host`, and what a `secret` that is a function and `lateStore()` are asked
   * with. Default: empty.
   * @throws {ConfigurationError} when the server has no executor.
   * @throws {Error} what the queue should know: that the work failed for a reason that is a bug, or
   * that its end could not be written. The client has been told.
   */
  async runTask(
    taskId: string,
    { host = {} }: { readonly host?: HostContext } = {},
  ): Promise<void> {
    await this.#parts.runTask(taskId, host);
  }

  /**
   * Tells every client that watches a resource that it changed, whichever process it listens to (S-21).
   * For changes that no tool of this server made; a tool names what it changes in `invalidates`. Call
   * it once the change is committed, or whoever reads again at once sees the old row.
   *
   * @param uri The exact URI: watchers of a collection hear of its own URI only.
   * @param options Whose resource it is, where the server has the option `partition`.
   * @returns How many were reached: 0 for none, and without a broker. Never rejects.
   *
   * @example
   * ```ts
   * import { McpServer } from "@limen/mcp";
   * import { memoryBroker } from "@limen/mcp/stores/memory";
   * import { assertEquals } from "@std/assert";
   *
   * const server = new McpServer({ name: "notes", version: "1.0.0", broker: memoryBroker() });
   * assertEquals(await server.notifyResourceUpdated("notes://1"), 0); // nobody watches it
   * ```
   */
  notifyResourceUpdated(
    uri: string,
    { partition = "" }: { readonly partition?: string } = {},
  ): Promise<number> {
    return this.#parts.announcer.resourceUpdated(uri, partition);
  }

  /**
   * Tells every client that listens for it that a list changed, whichever process it listens to (S-22).
   * What is registered or removed while requests are served is told without it; this is for a list
   * that changes for another reason, such as a condition that now holds.
   *
   * @returns How many were reached: 0 for none, and without a broker. Never rejects.
   */
  notifyListChanged(kind: ListKind): Promise<number> {
    return this.#parts.announcer.listChanged(kind);
  }

  /**
   * Stops taking requests, ends the streams of sessions and subscriptions, and resolves when the
   * requests in flight are answered, the tasks of this process have ended, and what they changed is told.
   */
  async close(): Promise<void> {
    await this.#parts.close();
  }
}
