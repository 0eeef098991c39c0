import type { SpecRegistry } from "../../kernel/spec_registry.ts";
import type { Spec } from "../../kernel/spec.ts";
import { ConfigurationError } from "../../ports/configuration_error.ts";
import { didYouMean } from "../../ports/did_you_mean.ts";
import type { Log } from "../../ports/log_event.ts";
import type { Registration, Registry } from "../registry.ts";
import { checkDemands, type ToolDemands } from "./check_demands.ts";
import { bindDispatcher } from "./dispatchers/bind_dispatcher.ts";
import { checkBehind } from "./dispatchers/check_behind.ts";
import type { ToolDispatcherOptions } from "./dispatchers/dispatcher_options.ts";
import { toolsBehind } from "./dispatchers/tools_behind.ts";
import { bindTool, type ToolBinding, type ToolDefaults } from "./tool_binding.ts";
import type { AnyToolOptions } from "./tool_options.ts";
import { warnOfTool } from "./warn_of_tool.ts";

/** What the tools of a server have in common. */
export type ToolCatalogueOptions = ToolDefaults & ToolDemands;

/** Brings tools and dispatchers into a registry, which may happen while they are served. */
export class ToolCatalogue {
  readonly #tools: Registry<ToolBinding>;
  readonly #options: ToolCatalogueOptions;
  readonly #log: Log;

  /** Takes the registry, what its tools have in common, and where warnings go. */
  constructor(tools: Registry<ToolBinding>, options: ToolCatalogueOptions, log: Log) {
    this.#tools = tools;
    this.#options = options;
    this.#log = log;
  }

  /** @throws {ConfigurationError} when the spec or an option is wrong. */
  add(spec: unknown, options: AnyToolOptions): Registration {
    return this.#register(this.#bind(spec, options));
  }

  /** @throws {ConfigurationError} when one cannot be added; none is then. */
  addAll(
    specs: SpecRegistry<Spec>,
    overrides: Readonly<Record<string, Omit<AnyToolOptions, "name">>>,
  ): readonly Registration[] {
    const stray = Object.keys(overrides).find((name) => specs.get(name) === undefined);
    if (stray !== undefined) {
      const hint = didYouMean(stray, specs.all().map(({ name }) => name));
      throw new ConfigurationError(
        `Cannot register tools: "${stray}" is not in the registry${hint}`,
      );
    }
    const tools = specs.all().map(({ name, spec }) => {
      const tool = this.#bind(spec, { ...overrides[name], name });
      if (this.#tools.get(name) === undefined) return tool;
      throw new ConfigurationError(`Cannot register ${tool.operation.where}: the name is taken`);
    });
    return tools.map((tool) => this.#register(tool));
  }

  /**
   * Adds a dispatcher; what removes it removes the tools behind it.
   *
   * @throws {ConfigurationError} when an option is wrong.
   */
  addDispatcher(options: ToolDispatcherOptions): Registration {
    const dispatcher = bindDispatcher(options, this.#options);
    const registration = this.#register(dispatcher);
    return {
      remove: () => {
        if (this.#tools.get(dispatcher.name) !== dispatcher) return;
        for (const { name } of toolsBehind(this.#tools, dispatcher)) this.#tools.remove(name);
        registration.remove();
      },
    };
  }

  #bind(spec: unknown, options: AnyToolOptions): ToolBinding {
    const tool = bindTool(spec, options, this.#options);
    checkDemands(tool, this.#options);
    checkBehind(tool, this.#tools);
    return tool;
  }

  #register(tool: ToolBinding): Registration {
    const registration = this.#tools.add(tool.name, tool);
    warnOfTool(tool, this.#log);
    return registration;
  }
}
