import { isThenable } from "../ports/awaitable.ts";
import { Problems } from "../schema/problems.ts";
import { validateSchema } from "../schema/validate.ts";
import { createPool } from "./pool.ts";
import type { Run, RunResult, Stage } from "./operation.ts";
import type { SpecFields } from "./spec.ts";

/**
 * What happens after the gate, in this order and no other. A stage that a spec does not declare is
 * not in its list, and costs nothing.
 */
export const STAGES = ["input", "run"] as const;

const COMPILERS: Readonly<
  Record<(typeof STAGES)[number], (spec: SpecFields) => Stage | undefined>
> = { input: inputStage, run: runStage };

/** The stages that a spec declares, in order. */
export function compileStages(spec: SpecFields): readonly Stage[] {
  return STAGES.flatMap((name) => COMPILERS[name](spec) ?? []);
}

function inputStage({ input }: SpecFields): Stage | undefined {
  if (input === undefined) return undefined;
  return (run) => {
    const { operation, input: source } = run.prepared;
    const problems = new Problems();
    const value = validateSchema(input, source, problems, {
      includeValues: operation.includeValidationValue,
      hasPatterns: operation.inputHasPatterns,
    });
    return isThenable(value)
      ? value.then((settled) => acceptInput(run, settled, problems))
      : acceptInput(run, value, problems);
  };
}

function acceptInput(run: Run, value: unknown, problems: Problems): RunResult | undefined {
  if (problems.size > 0) return { type: "invalid", problems };
  const { reads, operation } = run.prepared;
  run.args = operation.checkReads === undefined ? value : { ...reads, ...value as object };
  return undefined;
}

function runStage({ callable }: SpecFields): Stage {
  return (run) => {
    const value = callable(createPool(run.args, run.prepared.context));
    if (!isThenable(value)) {
      run.value = value;
      return undefined;
    }
    // A library's own thenable need not answer with a promise.
    return Promise.resolve(value).then((settled) => {
      run.value = settled;
      return undefined;
    });
  };
}
