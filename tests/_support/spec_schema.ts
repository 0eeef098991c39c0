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
  GetPromptResultSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCResultResponseSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  ServerNotificationSchema,
} from "@modelcontextprotocol/core";
import { existsSync, readFileSync } from "node:fs";
import type { Message } from "./read_answer.ts";

/** Of a Zod schema, what is used here. */
interface Checker {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

/** The results of methods: the package's schema, and the specification's name of the response. */
const RESULTS: Readonly<Record<string, readonly [Checker, string]>> = {
  "completion/complete": [CompleteResultSchema, "CompleteResultResponse"],
  "prompts/get": [GetPromptResultSchema, "GetPromptResultResponse"],
  "prompts/list": [ListPromptsResultSchema, "ListPromptsResultResponse"],
  "resources/list": [ListResourcesResultSchema, "ListResourcesResultResponse"],
  "resources/read": [ReadResourceResultSchema, "ReadResourceResultResponse"],
  "resources/templates/list": [
    ListResourceTemplatesResultSchema,
    "ListResourceTemplatesResultResponse",
  ],
  "server/discover": [DiscoverResultSchema, "DiscoverResultResponse"],
  "tools/call": [CallToolResultSchema, "CallToolResultResponse"],
  "tools/list": [ListToolsResultSchema, "ListToolsResultResponse"],
};

/** Errors for which the specification has a schema of their own. */
const ERRORS: Readonly<Record<number, string>> = {
  [-32020]: "HeaderMismatchError",
  [-32021]: "MissingRequiredClientCapabilityError",
  [-32022]: "UnsupportedProtocolVersionError",
};

const FILE = new URL("../../../shared/spec/schema-2026-07-28.json", import.meta.url);
const document = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : undefined;

/** Against what messages are held, for the titles of tests. */
export const SPEC_SOURCES: string = document === undefined ? "core" : "core + JSON Schema";

/**
 * Checks one message that the server sent.
 *
 * @param message A response or a notification.
 * @param method The method that was asked for.
 * @throws {Error} where it does not conform, naming the schema.
 */
export function assertConforms(message: Message, method: string): void {
  if ("method" in message) {
    checkWith(ServerNotificationSchema, message, "ServerNotification");
    checkAgainst("ServerNotification", message);
  } else if ("error" in message) {
    checkWith(JSONRPCErrorResponseSchema, message, "JSONRPCErrorResponse");
    checkAgainst(ERRORS[message.error.code] ?? "JSONRPCErrorResponse", message);
  } else {
    checkWith(JSONRPCResultResponseSchema, message, "JSONRPCResultResponse");
    const [checker, name] = RESULTS[method] ?? [undefined, "JSONRPCResultResponse"];
    if (checker !== undefined) checkWith(checker, message.result, name);
    checkAgainst(name, message);
  }
}

function checkWith(checker: Checker, value: unknown, name: string): void {
  const { success, error } = checker.safeParse(value);
  if (!success) throw new Error(`Not a ${name} to @modelcontextprotocol/core: ${error}`);
}

function checkAgainst(name: string, value: unknown): void {
  if (document === undefined) return;
  const schema = { $schema: document.$schema, $ref: `#/$defs/${name}`, $defs: document.$defs };
  const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
  if (valid) return;
  const problems = errors.map((one) => `${one.instanceLocation}: ${one.error}`).join("\n");
  throw new Error(`Not a ${name} of the specification:\n${problems}`);
}
