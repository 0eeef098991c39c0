import { takePage } from "../../../kernel/pageable.ts";
import { andThen, type Awaitable, isThenable } from "../../../ports/awaitable.ts";
import { errorResult } from "../../../present/error_result.ts";
import { presentResult } from "../../../present/present_result.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { compileParameters } from "../../../schema/check_arguments.ts";
import { param } from "../../../schema/param.ts";
import type { ArgumentsOf } from "../../../schema/parameter.ts";
import { Problems } from "../../../schema/problems.ts";
import { compileUnknownCheck } from "../../../schema/unknown_arguments.ts";
import type { Call } from "../../call.ts";
import { complete, type Outcome } from "../../outcome.ts";
import type { Registry } from "../../registry.ts";
import { limitResult } from "../limit_result.ts";
import type { ToolBinding } from "../tool_binding.ts";
import { invalidArguments } from "../tool_error.ts";
import { createToolFilter, type ToolFilterOptions } from "../tool_filter.ts";
import type { ToolRunner } from "../tool_runner.ts";
import { type OutputSchemaWriter, writeListing } from "../tool_listing.ts";
import { toolsBehind } from "./tools_behind.ts";
import { unknownTool } from "./unknown_tool.ts";

/** How tools behind dispatchers are told of. */
export interface HelpOptions extends ToolFilterOptions {
  /** Tools of a page. */
  readonly pageSize: number;
  /** Writes an output schema in the era's form. */
  readonly outputSchema: OutputSchemaWriter;
}

/**
 * Makes the help of dispatchers: names and what they do, page by page, or the whole entry of one tool
 * as `tools/list` would have it. A caller is told of no tool that a listing would leave out (B14).
 */
export function createHelp(
  registry: Registry<ToolBinding>,
  { pageSize, outputSchema, ...rules }: HelpOptions,
): ToolRunner {
  const filter = createToolFilter(rules);
  const parameters = { tool: param.string(), search: param.string(), page: param.integer() };
  const check = compileParameters(parameters, { unknownArguments: "reject", where: "help" });
  const checkUnknown = compileUnknownCheck(Object.keys(parameters));

  const select = (tools: readonly ToolBinding[], call: Call): Awaitable<readonly ToolBinding[]> => {
    if (!filter.applies(tools)) return tools;
    return selectShown(tools, (tool) => filter.isShown(tool, call));
  };
  const answer = (dispatcher: ToolBinding, value: unknown, call: Call): Awaitable<Outcome> =>
    andThen(
      presentResult({ value }, dispatcher.presentation),
      (result) => complete(limitResult(dispatcher, result, call.log)),
    );

  return (dispatcher, params, call) => {
    const problems = new Problems();
    checkUnknown(params, problems);
    const asked = check(params, problems) as ArgumentsOf<typeof parameters>;
    if (problems.size > 0) {
      return complete(errorResult(invalidArguments(dispatcher, problems, params)));
    }
    const { tool: name, search = "", page = 1 } = asked;
    const all = toolsBehind(registry, dispatcher);
    if (name !== undefined) {
      return andThen(select(all.filter((tool) => tool.name === name), call), ([tool]) => {
        if (tool === undefined) return unknownTool(name);
        return answer(dispatcher, JSON.parse(writeListing(tool.listing, outputSchema)), call);
      });
    }
    return andThen(select(all.filter((tool) => matches(tool, search)), call), async (tools) => {
      const request = { page, limit: pageSize, maxPageSize: undefined };
      return await answer(dispatcher, await takePage(tools.map(summarise), request), call);
    });
  };
}

async function selectShown(
  tools: readonly ToolBinding[],
  isShown: (tool: ToolBinding) => Awaitable<boolean>,
): Promise<readonly ToolBinding[]> {
  const selected: ToolBinding[] = [];
  for (const tool of tools) {
    const shown = isShown(tool);
    if (isThenable(shown) ? await shown : shown) selected.push(tool);
  }
  return selected;
}

function matches({ name, options: { description = "" } }: ToolBinding, search: string): boolean {
  return `${name}\n${description}`.toLowerCase().includes(search.toLowerCase());
}

const SUMMARY_LENGTH = 200;

/** A line of help: what a tool is called, and how its description begins. */
function summarise({ name, options: { description } }: ToolBinding): JsonObject {
  const [line = ""] = description?.trim().split("\n") ?? [];
  if (line === "") return { name };
  const isCut = line.length > SUMMARY_LENGTH;
  return { name, description: isCut ? `${line.slice(0, SUMMARY_LENGTH)}…` : line };
}
