/**
 * Holds what the server sends against the specification's own schemas: always against those that
 * `@modelcontextprotocol/core` publishes, and against the specification's JSON Schema where a copy
 * lies beside the repository.
 *
 * @module
 */
import { Validator } from "@cfworker/json-schema";
import {
  CallToolResultSchema,
  CompleteResultSchema,
  DiscoverResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCResultResponseSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  ResultSchema,
  ServerNotificationSchema,
  SubscriptionsListenResultSchema,
} from "@modelcontextprotocol/core";
import { existsSync, readFileSync } from "node:fs";
import type { ClientEra } from "./mcp_request.ts";
import type { Message } from "./read_answer.ts";

/** Of a Zod schema, what is used here. */
interface Checker {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** The results of methods: the package's schema, and the specification's name. */
const RESULTS: Readonly<Record<string, readonly [Checker, string]>> = {
  "completion/complete": [CompleteResultSchema, "CompleteResult"],
  "prompts/get": [GetPromptResultSchema, "GetPromptResult"],
  "prompts/list": [ListPromptsResultSchema, "ListPromptsResult"],
  "resources/list": [ListResourcesResultSchema, "ListResourcesResult"],
  "resources/read": [ReadResourceResultSchema, "ReadResourceResult"],
  "resources/templates/list": [
    ListResourceTemplatesResultSchema,
    "ListResourceTemplatesResult",
  ],
  "initialize": [InitializeResultSchema, "InitializeResult"],
  "ping": [EmptyResultSchema, "EmptyResult"],
  "server/discover": [DiscoverResultSchema, "DiscoverResult"],
  "tools/call": [CallToolResultSchema, "CallToolResult"],
  "subscriptions/listen": [SubscriptionsListenResultSchema, "SubscriptionsListenResult"],
  "tools/list": [ListToolsResultSchema, "ListToolsResult"],
};

/** What some methods answer instead, to ask for more. */
const INPUT_REQUIRED: readonly [Checker, string] = [ResultSchema, "InputRequiredResult"];

/** Errors for which the specification has a schema of their own. */
const ERRORS: Readonly<Record<number, string>> = {
  [-32020]: "HeaderMismatchError",
  [-32021]: "MissingRequiredClientCapabilityError",
  [-32022]: "UnsupportedProtocolVersionError",
};

/**
 * Messages of the tasks extension, by method; `tasks/create` is a call that was answered with a handle.
 * The packages know nothing of it: its own JSON Schema is asked, where there is a copy.
 */
const TASK_RESULTS: Readonly<Record<string, string>> = {
  "tasks/create": "CreateTaskResult",
  "tasks/get": "GetTaskResult",
  "tasks/update": "UpdateTaskResult",
  "tasks/cancel": "CancelTaskResult",
};

/** The specification's JSON Schema of each era, where there is a copy. */
const DOCUMENTS = { modern: readSchema("2026-07-28"), legacy: readSchema("2025-11-25") };

const TASKS = readSchema("tasks-extension");

function readSchema(revision: string): Message | undefined {
  const file = new URL(`../../../shared/spec/schema-${revision}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** Against what messages are held, for the titles of tests. */
export const SPEC_SOURCES: string = DOCUMENTS.modern === undefined ? "core" : "core + JSON Schema";

/**
 * Checks one message that the server sent.
 *
 * @param message A response or a notification.
 * @param method The method that was asked for.
 * @param era Whose form it must have.
 * @throws {Error} where it does not conform, naming the schema.
 */
export function assertConforms(message: Message, method: string, era: ClientEra = "modern"): void {
  if (message.method === "notifications/tasks") {
    checkInside(TASKS, "TaskStatusNotification", message);
  } else if ("method" in message) {
    checkWith(ServerNotificationSchema, message, "ServerNotification");
    checkAgainst(era, "ServerNotification", message);
  } else if ("error" in message) {
    checkWith(JSONRPCErrorResponseSchema, message, "JSONRPCErrorResponse");
    checkAgainst(era, "JSONRPCErrorResponse", message);
    const own = ERRORS[message.error.code];
    if (own !== undefined && era === "modern") checkAgainst(era, own, message);
  } else {
    if (Object.hasOwn(TASK_RESULTS, method)) return assertTaskConforms(message, method);
    checkWith(JSONRPCResultResponseSchema, message, "JSONRPCResultResponse");
    checkAgainst(era, "JSONRPCResultResponse", message);
    const [checker, name] = message.result.resultType === "input_required"
      ? INPUT_REQUIRED
      : RESULTS[method] ?? [ResultSchema, "Result"];
    checkWith(checker, message.result, name);
    checkAgainst(era, name, message.result);
  }
}

/** A task is held against its schema, and what came of it against that of a tool's result. */
function assertTaskConforms(message: Message, method: string): void {
  const { result } = message;
  if (result?.resultType === undefined || message.id === undefined) {
    throw new Error(`Not a response with a type: ${JSON.stringify(message)}`);
  }
  checkInside(TASKS, TASK_RESULTS[method]!, result);
  if (method === "tasks/get" && result.status === "completed") {
    checkWith(CallToolResultSchema, result.result, "CallToolResult");
    checkAgainst("modern", "CallToolResult", result.result);
  }
}

function checkWith(checker: Checker, value: unknown, name: string): void {
  const { success, error } = checker.safeParse(value);
  if (!success) throw new Error(`Not a ${name} to @modelcontextprotocol/core: ${error}`);
}

function checkAgainst(era: ClientEra, name: string, value: unknown): void {
  checkInside(DOCUMENTS[era], name, value);
}

function checkInside(document: Message | undefined, name: string, value: unknown): void {
  if (document === undefined || !(name in document.$defs)) return;
  const { valid, errors } = validatorOf(document, name).validate(value);
  if (valid) return;
  const problems = errors.map((one) => `${one.instanceLocation}: ${one.error}`).join("\n");
  throw new Error(`Not a ${name} of the specification:\n${problems}`);
}

/** Most of a check is reading the whole document: once for each name will do. */
const VALIDATORS: Map<Message, Map<string, Validator>> = new Map();

function validatorOf(document: Message, name: string): Validator {
  const known = VALIDATORS.getOrInsertComputed(document, () => new Map());
  return known.getOrInsertComputed(name, () => {
    const schema = { $schema: document.$schema, $ref: `#/$defs/${name}`, $defs: document.$defs };
    return new Validator(schema, "2020-12", false);
  });
}
