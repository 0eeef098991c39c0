/**
 * Thrown while a server is being built: the author's mistake, found when a spec is declared or
 * registered and never while a call is served.
 *
 * @example
 * ```ts
 * import { ConfigurationError } from "@limen/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new ConfigurationError('Cannot register tool "a": description is blank');
 * assertEquals(error.name, "ConfigurationError");
 * ```
 */
export class ConfigurationError extends Error {
  /** Always `"ConfigurationError"`. */
  override readonly name = "ConfigurationError" as const;
}
