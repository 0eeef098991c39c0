import { andThen, type Awaitable } from "../ports/awaitable.ts";
import { findForbiddenKey } from "../schema/find_forbidden_key.ts";
import { Problems } from "../schema/problems.ts";
import { validateSchema } from "../schema/validate.ts";
import { askPermissions, type PermissionDenial } from "./ask_permissions.ts";
import type { CallContext } from "./call_context.ts";
import type { ArgumentValues, ManyCheck, Operation, Prepared, RunResult } from "./operation.ts";

const NONE: ArgumentValues = Object.freeze({});

/**
 * Checks the arguments of a call: no query, no side effect, and all problems at once.
 *
 * Who may run the operation is asked next, by {@linkcode askCaller}, so that a stranger never
 * learns from an argument error what exists (K-54, K-61).
 *
 * @param sent What the caller sent.
 * @param bound Arguments that the transport fills; they were declared and are not the caller's.
 */
export function prepareCall(
  operation: Operation,
  context: CallContext,
  sent: ArgumentValues,
  bound?: ArgumentValues,
): Prepared {
  const problems = new Problems();
  const { checkReads, checkShapes, checkExtras, many } = operation;
  operation.checkUnknown?.(sent, problems);
  const source = bound === undefined ? sent : { ...sent, ...bound };
  const reads = checkReads === undefined ? {} : checkReads(source, problems);
  const shapes = checkShapes === undefined ? NONE : checkShapes(source, problems);
  const extras = checkExtras === undefined ? NONE : checkExtras(source, problems);
  const input = many === undefined
    ? prepareInput(operation, source, problems)
    : prepareList(many, source, problems);
  return {
    operation,
    context,
    reads,
    shapes,
    extras,
    input,
    problems: problems.size === 0 ? undefined : problems,
  };
}

function prepareInput(
  operation: Operation,
  source: ArgumentValues,
  problems: Problems,
): ArgumentValues {
  if (operation.spec.input === undefined) return source;
  for (const name of operation.requiredInput) {
    if (!Object.hasOwn(source, name)) problems.addMissing(name);
  }
  const forbidden = findForbiddenKey(source);
  if (forbidden !== undefined) problems.add(forbidden, "Unknown argument.");
  return inputOf(source, operation);
}

/** What is left for the `input` schema: everything but the parameters, and under IGNORE what it knows. */
function inputOf(source: ArgumentValues, operation: Operation): ArgumentValues {
  const { names, checkUnknown, parameterNames } = operation;
  const drops = checkUnknown === undefined && names !== undefined;
  if (!drops && parameterNames.size === 0) return source;
  const kept: Record<string, unknown> = {};
  for (const key of drops ? names : Object.keys(source)) {
    if (key === "__proto__" || parameterNames.has(key)) continue;
    if (Object.hasOwn(source, key)) kept[key] = source[key];
  }
  return kept;
}

/** The list of a `many` operation; its items are checked after the gate (K-55). */
function prepareList(
  { argument, maxItems }: ManyCheck,
  source: ArgumentValues,
  problems: Problems,
): readonly unknown[] {
  if (!Object.hasOwn(source, argument)) {
    problems.addMissing(argument);
    return [];
  }
  const list = source[argument];
  if (!Array.isArray(list)) {
    problems.add([argument], "Expected a list.");
    return [];
  }
  if (list.length > maxItems) {
    problems.add([argument], `Send at most ${maxItems} items, not ${list.length}.`);
    return [];
  }
  const forbidden = findForbiddenKey(list);
  if (forbidden !== undefined) problems.add([argument, ...forbidden], "Unknown argument.");
  return list;
}

/** Asks the class-level permissions once: of the checked reads, or of none where the check failed. */
export function askCaller(prepared: Prepared): Awaitable<PermissionDenial | undefined> {
  const { operation, context, problems, reads } = prepared;
  return askOperation(operation, context, problems === undefined ? reads : NONE);
}

/** Asks the class-level permissions of an operation, of these arguments. */
export function askOperation(
  operation: Operation,
  context: Pick<CallContext, "caller" | "log">,
  args: ArgumentValues,
): Awaitable<PermissionDenial | undefined> {
  const { user, token } = context.caller;
  const { permissions } = operation.spec;
  return askPermissions(permissions, { user, token, args }, context.log, operation.isGranted);
}

/**
 * Completes the report of a call whose arguments failed: the `input` schema is asked as well, so
 * that an admitted caller hears everything in one answer.
 */
export function explainProblems(prepared: Prepared): Awaitable<RunResult> {
  const { operation, input, problems = new Problems() } = prepared;
  const explained: RunResult = { type: "invalid", problems };
  if (operation.spec.input === undefined || operation.many !== undefined) return explained;
  const validated = validateSchema(operation.spec.input, input, problems, {
    includeValues: operation.includeValidationValue,
    hasPatterns: operation.inputHasPatterns,
    except: new Set(problems.missing),
  });
  return andThen(validated, () => explained);
}
