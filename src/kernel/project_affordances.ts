import type { Affordance } from "./affordance.ts";
import { findUnmet } from "./affordance.ts";
import type { Run } from "./operation.ts";
import { createSeedPool, type SeedPool } from "./pool.ts";

/** Says of a row which operations are possible on it. */
export type RowProjection = (row: unknown) => Promise<Readonly<Record<string, Availability>>>;

/** Whether an operation is possible, and why not. */
export interface Availability {
  readonly available: boolean;
  readonly code?: string;
  readonly reason?: string;
}

/**
 * Prepares the projection of other operations' affordances: what is a fact about the world is asked
 * once per call, what is a fact about the row once per row (K-78).
 *
 * @returns `undefined` where the spec projects none.
 */
export async function createProjection(run: Run): Promise<RowProjection | undefined> {
  const { operation, context } = run.prepared;
  const { projects } = operation.spec;
  if (projects === undefined) return undefined;
  const pool: SeedPool = { ...createSeedPool(context), ...run.seeds };
  const unmet = new Map<string, Affordance | undefined>();
  for (const [name, { conditions }] of Object.entries(projects)) {
    unmet.set(name, await findUnmet(conditions, pool));
  }
  return async (row) => {
    const states: Record<string, Availability> = {};
    for (const [name, { conditions }] of Object.entries(projects)) {
      states[name] = toState(unmet.get(name) ?? await findUnmetForRow(conditions, row, pool));
    }
    return states;
  };
}

async function findUnmetForRow(
  conditions: readonly Affordance[],
  row: unknown,
  pool: SeedPool,
): Promise<Affordance | undefined> {
  for (const condition of conditions) {
    const { whenRow } = condition;
    if (whenRow !== undefined && !await whenRow(row, pool as never)) return condition;
  }
  return undefined;
}

function toState(unmet: Affordance | undefined): Availability {
  return unmet === undefined
    ? { available: true }
    : { available: false, code: unmet.code, reason: unmet.reason };
}
