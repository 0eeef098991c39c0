import { ConfigurationError } from "../../../ports/configuration_error.ts";
import { didYouMean } from "../../../ports/did_you_mean.ts";
import type { Registry } from "../../registry.ts";
import type { ToolBinding } from "../tool_binding.ts";
import { HELP } from "./help_name.ts";

/**
 * Checks that a tool can stand behind the dispatcher that it names (B14).
 *
 * @throws {ConfigurationError} where it cannot, naming the tool and the option.
 */
export function checkBehind(tool: ToolBinding, registry: Registry<ToolBinding>): void {
  if (tool.dispatcher === undefined) return;
  const name = JSON.stringify(tool.dispatcher);
  const fail = (problem: string): never => {
    throw new ConfigurationError(`Cannot register ${tool.operation.where}: ${problem}`);
  };
  const dispatcher = registry.get(tool.dispatcher);
  if (dispatcher === undefined) {
    const known = registry.all().filter(({ dispatches }) => dispatches !== undefined);
    const hint = didYouMean(tool.dispatcher, known.map((one) => one.name));
    return fail(`dispatcher ${name} is not registered${hint}`);
  }
  if (dispatcher.dispatches === undefined) fail(`dispatcher ${name} is an ordinary tool`);
  if (tool.name === HELP) fail(`name "${HELP}" is what dispatcher ${name} lists its tools by`);
  const isRead = tool.listing.annotations.readOnlyHint === true;
  if (dispatcher.dispatches === "read" && !isRead) {
    fail(`dispatcher ${name} has the effect "read", and this tool writes`);
  }
  const [mirrored] = tool.mirrored;
  if (mirrored !== undefined) {
    const path = mirrored.path.join(".");
    fail(`dispatcher ${name} hides argument "${path}", which has a header: leave the header out`);
  }
}
