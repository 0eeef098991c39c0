import { createSeedPool } from "../../kernel/pool.ts";
import { ServiceError } from "../../kernel/service_error.ts";
import { andThen, type Awaitable, isThenable } from "../../ports/awaitable.ts";
import { serialize } from "../../present/serialize.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import { admitWithoutArguments } from "../admit_without_arguments.ts";
import type { Call, Method } from "../call.ts";
import type { Completer, CompletionPool } from "../completer.ts";
import { complete, type ErrorOutcome, failure, invalidParams, type Outcome } from "../outcome.ts";
import type { PromptBinding } from "../prompts/prompt_binding.ts";
import type { Registry } from "../registry.ts";
import type { ResourceBinding } from "../resources/resource_binding.ts";
import type { ResourceRegistry } from "../resources/resource_registry.ts";
import { pullSuggestions } from "./pull_suggestions.ts";

/** What can be completed. */
export interface Completable {
  readonly prompts: Registry<PromptBinding>;
  readonly resources: ResourceRegistry;
}

/** What a client asks for, as far as it is well formed. */
interface Question {
  readonly binding: PromptBinding | ResourceBinding;
  readonly name: string;
  readonly value: string;
  readonly settled: JsonObject;
}

/**
 * Makes `completion/complete`: reference ▸ gate ▸ argument ▸ completer (C-1…C-5). The gate is asked
 * as for a listing, without arguments.
 *
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion}
 */
export function createComplete(completable: Completable): Method {
  return (call) => {
    const question = readQuestion(call.params, completable);
    if ("type" in question) return question;
    return andThen(
      admitWithoutArguments(question.binding, call),
      (denied): Awaitable<Outcome> => denied ?? suggest(question, call),
    );
  };
}

function readQuestion(params: JsonObject, completable: Completable): Question | ErrorOutcome {
  const { ref, argument, context = {} } = params;
  if (!isJsonObject(ref)) return invalidParams("Invalid params: ref must be an object");
  if (!isJsonObject(argument) || typeof argument.name !== "string") {
    return invalidParams("Invalid params: argument must be an object with a name");
  }
  const { name, value = "" } = argument;
  if (typeof value !== "string") return invalidParams("Invalid params: value must be a string");
  const settled = isJsonObject(context) ? context.arguments ?? {} : undefined;
  if (!isJsonObject(settled)) {
    return invalidParams("Invalid params: context must hold arguments as an object");
  }
  const binding = findReferred(ref, completable);
  return "type" in binding ? binding : { binding, name, value, settled };
}

function findReferred(
  ref: JsonObject,
  { prompts, resources }: Completable,
): PromptBinding | ResourceBinding | ErrorOutcome {
  switch (ref.type) {
    case "ref/prompt":
      return (typeof ref.name === "string" ? prompts.get(ref.name) : undefined) ??
        invalidParams("Unknown prompt");
    case "ref/resource":
      return (typeof ref.uri === "string" ? resources.templates.get(ref.uri) : undefined) ??
        invalidParams("Unknown resource template");
    default:
      return invalidParams('Invalid params: ref must be a "ref/prompt" or a "ref/resource"');
  }
}

/** An argument without a completer completes to nothing: clients ask blindly. */
function suggest(question: Question, call: Call): Awaitable<Outcome> {
  const { binding: { operation, completers }, name, value, settled } = question;
  if (!operation.parameterNames.has(name)) {
    return invalidParams("Unknown argument", { completable: [...completers.keys()] });
  }
  const completer = completers.get(name);
  if (completer === undefined) return finish({ values: [], hasMore: false, total: 0 });
  const args: Record<string, string> = Object.create(null);
  for (const sibling of operation.parameterNames) {
    const text = ownValue(settled, sibling);
    if (typeof text === "string") args[sibling] = text;
  }
  return run(completer, {
    ...createSeedPool(call),
    value,
    args,
    get signal() {
      return call.signal;
    },
  });
}

function run(completer: Completer, pool: CompletionPool): Awaitable<Outcome> {
  try {
    const suggestions = completer(pool);
    const pulled = andThen(suggestions, pullSuggestions);
    return isThenable(pulled) ? pulled.then(finish, refuse) : finish(pulled);
  } catch (error) {
    return refuse(error);
  }
}

function finish(completion: Awaited<ReturnType<typeof pullSuggestions>>): Outcome {
  return complete({ members: `"completion":${serialize(completion)}` });
}

function refuse(error: unknown): Outcome {
  if (error instanceof ServiceError) return failure(ErrorCode.internalError, error.message);
  throw error;
}
