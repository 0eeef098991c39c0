import { ConfigurationError } from "../../ports/configuration_error.ts";
import { serialize } from "../../present/serialize.ts";
import { isJsonObject } from "../../protocol/json.ts";

const CONTENT_KINDS: readonly unknown[] = ["json", "text", "image", "audio", "links", "blocks"];

/** The options of a tool, before anybody knows what they are. */
interface UncheckedOptions {
  readonly annotations?: unknown;
  readonly contentKind?: unknown;
  readonly maxResultBytes?: unknown;
  readonly requiresClient?: unknown;
}

/**
 * Checks what an author without types can get wrong about a tool, so that no call finds it first.
 *
 * @param options The options.
 * @param where Whose they are, for errors: `tool "a"`.
 * @throws {ConfigurationError} when an option is wrong, naming it.
 */
export function checkToolOptions(options: UncheckedOptions, where: string): void {
  const { contentKind, maxResultBytes } = options;
  if (contentKind !== undefined && !CONTENT_KINDS.includes(contentKind)) {
    throw invalid(where, `contentKind must be one of ${CONTENT_KINDS.join(", ")}`);
  }
  if (maxResultBytes !== undefined && !isPositiveInteger(maxResultBytes)) {
    throw invalid(where, "maxResultBytes must be an integer of at least 1");
  }
  for (const key of ["annotations", "requiresClient"] as const) {
    const value = options[key];
    if (value === undefined) continue;
    if (!isJsonObject(value)) throw invalid(where, `${key} must be an object`);
    try {
      serialize(value);
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigurationError(`Cannot register ${where}: ${key}: ${problem}`, { cause });
    }
  }
}

function isPositiveInteger(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function invalid(where: string, problem: string): ConfigurationError {
  return new ConfigurationError(`Cannot register ${where}: ${problem}`);
}
