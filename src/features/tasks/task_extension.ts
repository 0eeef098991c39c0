import { ErrorCode } from "../../protocol/error_code.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { missingCapabilities } from "../missing_capability.ts";
import { type ErrorOutcome, failure } from "../outcome.ts";

/**
 * What a client and a server declare that know tasks.
 *
 * @see {@link https://modelcontextprotocol.io/seps/2663-tasks-extension}
 */
export const TASK_EXTENSION: JsonObject = Object.freeze({
  extensions: Object.freeze({ "io.modelcontextprotocol/tasks": Object.freeze({}) }),
});

/** The refusal of a client that did not declare the extension with its request (J-11). */
export function refuseUndeclared(clientCapabilities: JsonObject): ErrorOutcome | undefined {
  const missing = missingCapabilities(TASK_EXTENSION, clientCapabilities);
  if (missing === undefined) return undefined;
  const message = "Missing required client capability";
  return failure(ErrorCode.missingClientCapability, message, { requiredCapabilities: missing });
}
