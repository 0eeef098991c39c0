import type { PermissionDenial } from "./ask_permissions.ts";
import type { CallContext } from "./call_context.ts";
import type { ArgumentValues, Operation, Prepared } from "./operation.ts";
import { askOperation } from "./prepare_call.ts";
import { createRun, settleStages } from "./run_call.ts";
import { compileStagesTo } from "./stages.ts";

/**
 * Asks again who may have what an operation answered earlier, with the arguments that were checked then:
 * the class-level permissions, and where some look at the row, the row is looked up anew. Runs nothing
 * else.
 *
 * @returns The refusal, or `undefined` where the caller may still have it. Fails closed: a row that is
 * gone, or a look-up that throws, refuses.
 */
export async function recheckCaller(
  operation: Operation,
  context: CallContext,
  reads: ArgumentValues,
): Promise<PermissionDenial | undefined> {
  const denial = await askOperation(operation, context, reads);
  if (denial !== undefined || !looksAtRow(operation)) return denial;
  const none = Object.freeze({});
  const stages = compileStagesTo("objectPermissions", operation.spec, operation.seeds);
  const prepared: Prepared = {
    operation,
    context,
    reads,
    shapes: none,
    extras: none,
    input: none,
    problems: undefined,
  };
  const run = createRun(prepared);
  try {
    const ended = await settleStages(run, stages);
    if (ended !== undefined) return { message: `The row is ${ended.type}` };
    const isGone = run.instance === undefined || run.instance === null;
    return isGone ? { message: "The row is gone" } : undefined;
  } catch (cause) {
    const message = "Asking a permission again failed";
    context.log({ level: "error", event: "permission.fault", message, cause });
    return { message };
  }
}

function looksAtRow({ spec }: Operation): boolean {
  return spec.target?.kind === "retrieve" &&
    spec.permissions.some((check) => check.hasObjectPermission !== undefined);
}
