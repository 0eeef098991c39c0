import { andThen, type Awaitable, isThenable } from "../ports/awaitable.ts";
import { isJsonObject } from "../protocol/json.ts";
import { Problems } from "../schema/problems.ts";
import { validateSchema } from "../schema/validate.ts";
import { ActionUnavailable, findUnmet } from "./affordance.ts";
import { askObjectPermissions } from "./ask_permissions.ts";
import type { SpecFields } from "./spec_fields.ts";
import { checkItems } from "./check_items.ts";
import { findTarget } from "./find_target.ts";
import type { Operation, Run, Stage } from "./operation.ts";
import { createSeedPool, type SeedPool, type SeedValues } from "./pool.ts";
import { createRunPool } from "./run_pool.ts";
import { type PoolSeeds, resolveSeeds } from "./pool_seeds.ts";
import { provide } from "./provider.ts";
import { runAtomic, runLater } from "./run_atomic.ts";

/**
 * What happens after the gate, in this order and no other. A stage that a spec does not declare is
 * not in its list, and costs nothing.
 */
export const STAGES = [
  "seeds",
  "provide",
  "target",
  "objectPermissions",
  "inputData",
  "input",
  "preconditions",
  "affordances",
  "prepare",
  "run",
  "afterCommit",
  "reread",
] as const;

type StageName = (typeof STAGES)[number];

type Compiler = (spec: SpecFields, seeds: PoolSeeds) => Stage | undefined;

const COMPILERS: Readonly<Record<StageName, Compiler>> = {
  seeds: (_spec, seeds) => Object.keys(seeds.resolvers).length === 0 ? undefined : seedStage,
  provide: (spec) => spec.provide && provideStage,
  target: (spec) => spec.target && findTarget,
  objectPermissions: (spec) =>
    spec.target?.kind === "retrieve" &&
      spec.permissions.some((check) => check.hasObjectPermission !== undefined)
      ? objectPermissionStage
      : undefined,
  inputData: (spec) => spec.inputData && inputDataStage,
  input: ({ input, many }) => input && (many ? itemStage : inputStage),
  preconditions: (spec) => spec.preconditions.length === 0 ? undefined : preconditionStage,
  affordances: (spec) => spec.conditions.length === 0 ? undefined : affordanceStage,
  prepare: (spec) => spec.prepare && prepareStage,
  run: () => runStage,
  afterCommit: () => afterCommitStage,
  reread: (spec) => spec.reread && rereadStage,
};

/** The stages that a spec declares, in order, and their parts for work that runs later. */
export function compileStages(spec: SpecFields, seeds: PoolSeeds): CompiledStages {
  const compile = (names: readonly StageName[]): readonly Stage[] =>
    names.flatMap((name) => COMPILERS[name](spec, seeds) ?? []);
  return {
    stages: compile(STAGES),
    openingStages: spec.prepare === undefined ? [] : compileStagesTo("prepare", spec, seeds),
    deferredStages: compile(STAGES.filter((name) => name !== "prepare")),
  };
}

/** The stages that a spec declares, in order, up to one of them. */
export function compileStagesTo(
  last: StageName,
  spec: SpecFields,
  seeds: PoolSeeds,
): readonly Stage[] {
  const names = STAGES.slice(0, STAGES.indexOf(last) + 1);
  return names.flatMap((name) => COMPILERS[name](spec, seeds) ?? []);
}

type CompiledStages = Pick<Operation, "deferredStages" | "openingStages" | "stages">;

const seedStage: Stage = (run) => {
  const { operation, context } = run.prepared;
  return andThen(resolveSeeds(operation.seeds, createSeedPool(context)), (seeds) => {
    run.seeds = seeds;
    return undefined;
  });
};

const provideStage: Stage = (run) => {
  const { operation } = run.prepared;
  return andThen(provide(operation.spec.provide!, smallPool(run)), (given) => {
    run.given = given;
    // A read that the server fills is an argument like any other.
    for (const key of Object.keys(given)) {
      if (operation.parameterNames.has(key) && given[key] !== undefined) {
        run.args = { ...run.args as object, [key]: given[key] };
      }
    }
    return undefined;
  });
};

const objectPermissionStage: Stage = async (run) => {
  if (run.instance === undefined || run.instance === null) return undefined;
  const { operation, context, reads } = run.prepared;
  const { user, token } = context.caller;
  const pool = { user, token, args: reads, instance: run.instance };
  const denial = await askObjectPermissions(operation.spec.permissions, pool, context.log);
  return denial === undefined ? undefined : { type: "denied" };
};

const inputDataStage: Stage = (run) =>
  andThen(provide(run.prepared.operation.spec.inputData!, smallPool(run)), (values) => {
    run.input = Array.isArray(run.input)
      ? run.input.map((item) => isJsonObject(item) ? { ...item, ...values } : item)
      : { ...run.input, ...values };
    return undefined;
  });

const inputStage: Stage = (run) => {
  const { operation } = run.prepared;
  const problems = new Problems();
  const value = validateSchema(operation.spec.input!, run.input, problems, {
    includeValues: operation.includeValidationValue,
    hasPatterns: operation.inputHasPatterns,
  });
  return andThen(value as Awaitable<unknown>, (settled) => {
    if (problems.size > 0) return { type: "invalid", problems };
    run.args = operation.checkReads === undefined && run.args === run.prepared.reads
      ? settled
      : { ...run.args as object, ...settled as object };
    return undefined;
  });
};

const itemStage: Stage = async (run) => {
  const { operation } = run.prepared;
  const problems = new Problems();
  run.args = await checkItems(operation, run.input as readonly unknown[], problems);
  return problems.size > 0 ? { type: "invalid", problems } : undefined;
};

const preconditionStage: Stage = async (run) => {
  const pool = createRunPool(run);
  for (const check of run.prepared.operation.spec.preconditions) await check(pool as never);
  return undefined;
};

const affordanceStage: Stage = async (run) => {
  const { conditions } = run.prepared.operation.spec;
  const pool = smallPool(run);
  const unmet = await findUnmet(conditions, pool);
  if (unmet !== undefined) throw new ActionUnavailable(unmet.reason, unmet.code);
  for (const { code, reason, whenRow } of conditions) {
    if (whenRow !== undefined && !await whenRow(run.instance, pool)) {
      throw new ActionUnavailable(reason, code);
    }
  }
  return undefined;
};

const prepareStage: Stage = async (run) => {
  await run.prepared.operation.spec.prepare!(createRunPool(run) as never);
  return undefined;
};

const runStage: Stage = (run) => {
  const { operation } = run.prepared;
  const { callable, atomic } = operation.spec;
  const pool = createRunPool(run);
  if (atomic && operation.transaction !== undefined) return runAtomic(run, pool);
  const value = callable(pool as never);
  if (!isThenable(value)) return finishRun(run, value);
  // A library's own thenable need not answer with a promise.
  return Promise.resolve(value).then((settled) => finishRun(run, settled));
};

function finishRun(run: Run, value: unknown): undefined {
  run.value = value;
  run.later.asker?.settle();
}

/** What is committed is announced, whatever comes of the re-read and the presentation. */
const afterCommitStage: Stage = (run) => run.later.work === undefined ? undefined : runLater(run);

const rereadStage: Stage = async (run) => {
  const pool = { ...smallPool(run), result: run.value };
  run.value = await run.prepared.operation.spec.reread!(pool as never);
  return undefined;
};

function smallPool(run: Run): SeedPool & SeedValues {
  return { ...createSeedPool(run.prepared.context), ...run.seeds };
}
