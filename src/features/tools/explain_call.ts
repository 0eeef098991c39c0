import { findUnmet } from "../../kernel/affordance.ts";
import { askPermissions } from "../../kernel/ask_permissions.ts";
import { createSeedPool } from "../../kernel/pool.ts";
import { resolveSeeds } from "../../kernel/pool_seeds.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Call } from "../call.ts";
import { prepareTool } from "./call_tool.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** One step of the gate, and its answer. */
export interface ExplainedStep {
  /** What was asked. */
  readonly step: "tool" | "scopes" | "permissions" | "arguments" | "conditions";
  /** Whether the call passes it. */
  readonly passes: boolean;
  /** Why, for operators: never for the wire. */
  readonly answer: string;
  /** Messages by argument, where arguments were refused. */
  readonly detail?: unknown;
}

/**
 * Asks everything that stands before a run, without running it and without charging anybody: for
 * operators and tests. Every step is asked, also after one that refuses.
 */
export async function explainCall(
  tool: ToolBinding | undefined,
  args: JsonObject,
  call: Call,
): Promise<readonly ExplainedStep[]> {
  if (tool === undefined) return [{ step: "tool", passes: false, answer: "There is no such tool" }];
  return [
    { step: "tool", passes: true, answer: tool.operation.where },
    explainScopes(tool, call),
    ...await explainPermissions(tool, args, call),
    explainArguments(tool, args, call),
    await explainConditions(tool, call),
  ];
}

function explainScopes({ gate: { scopes } }: ToolBinding, { caller }: Call): ExplainedStep {
  const missing = scopes.filter((scope) => !caller.token?.scopes.includes(scope));
  const answer = missing.length > 0
    ? `The token lacks ${missing.join(" ")}`
    : scopes.length === 0
    ? "None are asked for"
    : `The token carries ${scopes.join(" ")}`;
  return { step: "scopes", passes: missing.length === 0, answer };
}

async function explainPermissions(
  tool: ToolBinding,
  args: JsonObject,
  call: Call,
): Promise<readonly ExplainedStep[]> {
  const { operation } = tool;
  const { user, token } = call.caller;
  const prepared = prepareTool(tool, args, call);
  const pool = { user, token, args: prepared.problems === undefined ? prepared.reads : {} };
  const checks = operation.spec.permissions;
  if (checks.length === 0) {
    return [{ step: "permissions", passes: operation.isGranted, answer: "None are declared" }];
  }
  return await Promise.all(checks.map(async (check, i): Promise<ExplainedStep> => {
    const denial = await askPermissions([check], pool, call.log, false);
    const name = check.message ?? `check ${i + 1}`;
    const answer = `${name}: ${denial === undefined ? "admits" : "refuses"}`;
    return { step: "permissions", passes: denial === undefined, answer };
  }));
}

function explainArguments(tool: ToolBinding, args: JsonObject, call: Call): ExplainedStep {
  const { problems } = prepareTool(tool, args, call);
  return problems === undefined
    ? {
      step: "arguments",
      passes: true,
      answer: "Nothing is wrong so far as permissions need them",
    }
    : {
      step: "arguments",
      passes: false,
      answer: `${problems.size} problem(s)`,
      detail: problems.toTree(),
    };
}

async function explainConditions({ operation }: ToolBinding, call: Call): Promise<ExplainedStep> {
  const pool = createSeedPool(call);
  const seeds = await resolveSeeds(operation.seeds, pool);
  const unmet = await findUnmet(operation.spec.conditions, { ...pool, ...seeds });
  return unmet === undefined
    ? { step: "conditions", passes: true, answer: "All hold, those on rows aside" }
    : { step: "conditions", passes: false, answer: `${unmet.code}: ${unmet.reason}` };
}
