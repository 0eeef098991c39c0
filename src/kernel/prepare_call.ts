import { andThen, type Awaitable } from "../ports/awaitable.ts";
import type { Parameters } from "../schema/parameter.ts";
import { findForbiddenKey } from "../schema/find_forbidden_key.ts";
import { Problems } from "../schema/problems.ts";
import { validateSchema } from "../schema/validate.ts";
import { askPermissions, type PermissionDenial } from "./ask_permissions.ts";
import type { CallContext } from "./call_context.ts";
import type { Operation, Prepared, RunResult } from "./operation.ts";

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Checks the arguments of a call: no query, no side effect, and all problems at once.
 *
 * Who may run the operation is asked next, by {@linkcode askCaller}, so that a stranger never
 * learns from an argument error what exists (K-54, K-61).
 */
export function prepareCall(
  operation: Operation,
  context: CallContext,
  source: Arguments,
): Prepared {
  const problems = new Problems();
  const { checkReads, checkUnknown, spec } = operation;
  checkUnknown?.(source, problems);
  const reads = checkReads === undefined ? {} : checkReads(source, problems);
  let input: Arguments = source;
  if (spec.input !== undefined) {
    for (const name of operation.requiredInput) {
      if (!Object.hasOwn(source, name)) problems.addMissing(name);
    }
    const forbidden = findForbiddenKey(source);
    if (forbidden !== undefined) problems.add(forbidden, "Unknown argument.");
    input = inputOf(source, operation);
  }
  return {
    operation,
    context,
    reads,
    input,
    problems: problems.size === 0 ? undefined : problems,
  };
}

/** Asks the class-level permissions once: of the checked reads, or of none where the check failed. */
export function askCaller(prepared: Prepared): Awaitable<PermissionDenial | undefined> {
  const { operation, context, problems, reads } = prepared;
  const { user, token } = context.caller;
  return askPermissions(
    operation.spec.permissions,
    { user, token, args: problems === undefined ? reads : {} },
    context.log,
  );
}

/**
 * Completes the report of a call whose arguments failed: the `input` schema is asked as well, so
 * that an admitted caller hears everything in one answer.
 */
export function explainProblems(prepared: Prepared): Awaitable<RunResult> {
  const { operation, input, problems = new Problems() } = prepared;
  const explained: RunResult = { type: "invalid", problems };
  if (operation.spec.input === undefined) return explained;
  const validated = validateSchema(operation.spec.input, input, problems, {
    includeValues: operation.includeValidationValue,
    hasPatterns: operation.inputHasPatterns,
    except: new Set(problems.missing),
  });
  return andThen(validated, () => explained);
}

/** What is left for the `input` schema: everything but the reads, and under IGNORE what it knows. */
function inputOf(source: Arguments, operation: Operation): Arguments {
  const { names, checkUnknown, spec } = operation;
  const drops = checkUnknown === undefined && names !== undefined;
  if (!drops && isEmpty(spec.reads)) return source;
  const kept: Record<string, unknown> = {};
  for (const key of drops ? names : Object.keys(source)) {
    if (key === "__proto__" || Object.hasOwn(spec.reads, key)) continue;
    if (Object.hasOwn(source, key)) kept[key] = source[key];
  }
  return kept;
}

function isEmpty(parameters: Parameters): boolean {
  for (const _ in parameters) return false;
  return true;
}
