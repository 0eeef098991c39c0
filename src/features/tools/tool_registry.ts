import { ConfigurationError } from "../../ports/configuration_error.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** The tools of one server, by name, in the order of registration. */
export class ToolRegistry {
  readonly #bindings: Map<string, ToolBinding> = new Map();
  #version = 0;

  /** Grows with every change; what was cached under an older version is stale. */
  get version(): number {
    return this.#version;
  }

  /** How many tools there are. */
  get size(): number {
    return this.#bindings.size;
  }

  /**
   * Adds a tool.
   *
   * @throws {ConfigurationError} when the name is taken.
   */
  add(binding: ToolBinding): void {
    if (this.#bindings.has(binding.name)) {
      throw new ConfigurationError(
        `Cannot register tool ${JSON.stringify(binding.name)}: the name is taken`,
      );
    }
    this.#bindings.set(binding.name, binding);
    this.#version++;
  }

  /** Finds a tool; names are case-sensitive. */
  get(name: string): ToolBinding | undefined {
    return this.#bindings.get(name);
  }

  /** All tools. */
  all(): readonly ToolBinding[] {
    return [...this.#bindings.values()];
  }
}
