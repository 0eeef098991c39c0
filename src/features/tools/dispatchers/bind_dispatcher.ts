import { unrestricted } from "../../../kernel/permission_check.ts";
import { selectorSpec } from "../../../kernel/specs_for.ts";
import { ConfigurationError } from "../../../ports/configuration_error.ts";
import { findStray } from "../../../ports/find_stray.ts";
import { param } from "../../../schema/param.ts";
import { bindTool, type ToolBinding, type ToolDefaults } from "../tool_binding.ts";
import type { DispatcherEffect, ToolDispatcherOptions } from "./dispatcher_options.ts";
import { HELP } from "./help_name.ts";

const EFFECTS: readonly DispatcherEffect[] = ["read", "write"];
const KNOWN: readonly (keyof ToolDispatcherOptions)[] = [
  "description",
  "effect",
  "icons",
  "meta",
  "name",
  "title",
];

/**
 * Binds a dispatcher: a tool whose calls go to the tools behind it, each with a gate of its own.
 *
 * @throws {ConfigurationError} when an option is wrong, naming the dispatcher and the option.
 */
export function bindDispatcher(
  options: ToolDispatcherOptions,
  defaults: ToolDefaults,
): ToolBinding {
  const { effect, ...listed } = options;
  const fail = (problem: string): never => {
    const where = `Cannot register dispatcher ${JSON.stringify(options.name)}`;
    throw new ConfigurationError(`${where}: ${problem}`);
  };
  const stray = findStray(options, KNOWN, "an option of a dispatcher");
  if (stray !== undefined) fail(stray);
  if (!EFFECTS.includes(effect)) fail(`effect must be one of ${EFFECTS.join(", ")}`);
  if (typeof options.description !== "string" || options.description.trim() === "") {
    fail("description must say what its tools are for");
  }
  const arguments_ = selectorSpec({
    kind: "retrieve",
    reads: {
      tool: param.string({
        required: true,
        help:
          `Which tool to call. "${HELP}" lists them; with params {"tool": "its name"} it tells ` +
          'the arguments of one, and {"search": "a word"} or {"page": 2} look further.',
      }),
      params: param.object({ help: "The arguments of that tool." }),
      verify: param.boolean({ help: "Answers a write with its full result, which may be long." }),
    },
    permissions: [unrestricted], // the tools behind it ask for themselves
    select: () => undefined, // never runs: every call is help's, or another tool's
  });
  // A dispatcher's arguments are the protocol's own, whatever the seeds are called.
  const tool = bindTool(arguments_, listed, { ...defaults, seeds: undefined });
  return Object.freeze({ ...tool, dispatches: effect });
}
