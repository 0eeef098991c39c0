import { admit } from "../../gate/admit.ts";
import { type Affordance, findUnmet } from "../../kernel/affordance.ts";
import { createSeedPool } from "../../kernel/pool.ts";
import { resolveSeeds } from "../../kernel/pool_seeds.ts";
import { askOperation } from "../../kernel/prepare_call.ts";
import { andThen, type Awaitable } from "../../ports/awaitable.ts";
import type { Call } from "../call.ts";
import type { ListFilter } from "../list_registry.ts";
import type { ToolBinding } from "./tool_binding.ts";

/** What a listing leaves out. */
export interface ToolFilterOptions {
  /** Whether tools are left out that the caller's permissions deny (L-4). */
  readonly byPermission: boolean;
  /** Whether tools are left out whose conditions do not hold (L-10). */
  readonly byCondition: boolean;
}

/** Makes the filter of `tools/list`; tools that declare nothing cost nothing. */
export function createToolFilter(options: ToolFilterOptions): ListFilter<ToolBinding> {
  return {
    applies: (tools) => options.byPermission || (options.byCondition && tools.some(hasConditions)),
    isShown: (tool, call) =>
      andThen(findOmission(tool, call, options), (omission) => omission === undefined),
  };
}

/**
 * Why a caller is not shown a tool: `"permission"`, or the first condition that does not hold. A seed
 * or a condition that throws fails the listing.
 */
export function findOmission(
  tool: ToolBinding,
  call: Pick<Call, "caller" | "host" | "log" | "request">,
  { byPermission, byCondition }: ToolFilterOptions,
): Awaitable<"permission" | Affordance | undefined> {
  if (tool.alwaysListed) return undefined;
  const { operation, gate } = tool;
  const denied = byPermission
    ? admit({ scopes: gate.scopes }, call, () => askOperation(operation, call, {}))
    : undefined;
  return andThen(denied, (denial): Awaitable<"permission" | Affordance | undefined> => {
    if (denial !== undefined) return "permission";
    if (!byCondition || !hasConditions(tool)) return undefined;
    const pool = createSeedPool(call);
    return andThen(
      resolveSeeds(operation.seeds, pool),
      (seeds) => findUnmet(operation.spec.conditions, { ...pool, ...seeds }),
    );
  });
}

/** Whether a listing asks a condition of the tool; conditions on rows are never asked. */
export function hasConditions({ operation }: ToolBinding): boolean {
  return operation.spec.conditions.some(({ when }) => when !== undefined);
}
