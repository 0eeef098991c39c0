import type { CallRequest } from "../../kernel/call_context.ts";
import { ErrorCode } from "../../protocol/error_code.ts";
import { decodeMirrored } from "../../protocol/mirrored_value.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../protocol/json.ts";
import type { MirroredHeader } from "../../schema/mirrored_headers.ts";
import { type ErrorOutcome, failure } from "../outcome.ts";

/**
 * Compares the arguments that a tool mirrors into `Mcp-Param-*` headers with those headers.
 *
 * A value that is absent or null has no header to expect. A value of another type than declared is
 * left to the argument check, which names it.
 *
 * @returns The mismatch, or `undefined`.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers}
 */
export function checkMirrored(
  mirrored: readonly MirroredHeader[],
  args: JsonObject,
  request: CallRequest,
): ErrorOutcome | undefined {
  for (const { header, path, type } of mirrored) {
    const value = valueAt(args, path);
    const raw = request.header(header);
    if (value === undefined || value === null) {
      if (raw === null) continue;
      return mismatch(header, "is sent without a value in the body");
    }
    if (raw === null) return mismatch(header, "is missing");
    const text = decodeMirrored(raw);
    if (text === undefined) return mismatch(header, "is not validly encoded");
    if (typeof value === EXPECTED[type] && !isEqual(value, text)) {
      return mismatch(header, "does not match the body");
    }
  }
  return undefined;
}

const EXPECTED = { string: "string", integer: "number", boolean: "boolean" } as const;

function valueAt(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const key of path) value = isJsonObject(value) ? ownValue(value, key) : undefined;
  return value;
}

/** Integers compare as numbers: `42.0` mirrors 42. */
function isEqual(value: unknown, text: string): boolean {
  if (typeof value !== "number") return String(value) === text;
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text) && Number(text) === value;
}

function mismatch(header: string, problem: string): ErrorOutcome {
  return failure(ErrorCode.headerMismatch, `Header mismatch: ${header} ${problem}`);
}
