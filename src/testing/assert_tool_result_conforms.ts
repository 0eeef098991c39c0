import { isJsonObject } from "../protocol/json.ts";
import { findMismatches } from "../schema/find_mismatches.ts";
import { ConformanceError } from "./conformance_error.ts";
import { describeMismatch } from "./describe_mismatch.ts";

/** What is looked at of an entry of `tools/list`. */
export interface AdvertisedTool {
  /** The tool's name. */
  readonly name: string;
  /** What its results look like, as JSON Schema. */
  readonly outputSchema?: object | undefined;
}

/** What is looked at of a result of `tools/call`. */
export interface ReturnedResult {
  /** Content blocks; the text of a failure is repeated in the message. */
  readonly content?: unknown;
  /** What is held against the schema. */
  readonly structuredContent?: unknown;
  /** Whether the call failed. */
  readonly isError?: boolean | undefined;
}

/**
 * Asserts that the `structuredContent` of a result is what its tool advertises as `outputSchema`,
 * types and formats alike, by the rules of JSON Schema 2020-12.
 *
 * Plain objects go in, so that it does not matter which client they come from, or which server.
 *
 * @param tool The tool's entry in `tools/list`, of the same era as the call.
 * @param result The result of `tools/call`.
 * @throws {ConformanceError} when the tool advertises no schema, when the result has no
 * `structuredContent`, and when the two differ: every mismatch is one line, with its path.
 *
 * @example
 * ```ts
 * import { assertToolResultConforms } from "@limen/mcp/testing";
 * import { assertThrows } from "@std/assert";
 *
 * const row = { type: "object", properties: { amount_cents: { type: "integer" } } };
 * const tool = { name: "invoices_list", outputSchema: { type: "array", items: row } };
 * assertToolResultConforms(tool, { structuredContent: [{ amount_cents: 124000 }] });
 * assertThrows(
 *   () => assertToolResultConforms(tool, { structuredContent: [{ amount_cents: "1240.00" }] }),
 *   Error,
 *   "$[0].amount_cents: advertised type 'integer', got string '1240.00'",
 * );
 * ```
 */
export function assertToolResultConforms(tool: AdvertisedTool, result: ReturnedResult): void {
  const { name, outputSchema } = tool;
  const subject = `Result of tool ${JSON.stringify(name)} does not conform`;
  if (outputSchema === undefined) {
    throw new ConformanceError(`${subject}: the tool advertises no outputSchema`);
  }
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    throw new ConformanceError(`${subject}: it has no structuredContent${describeError(result)}`);
  }
  const value: unknown = JSON.parse(JSON.stringify(structuredContent)); // as it travels
  const mismatches = findMismatches({ ...outputSchema }, value)
    .map((mismatch) => describeMismatch(mismatch, value))
    .sort(new Intl.Collator("en", { numeric: true }).compare);
  if (mismatches.length === 0) return;
  const count = mismatches.length === 1 ? "1 mismatch" : `${mismatches.length} mismatches`;
  throw new ConformanceError(`${subject}: ${count}${describeError(result)}`, mismatches);
}

function describeError({ isError, content }: ReturnedResult): string {
  if (isError !== true) return "";
  const [block] = Array.isArray(content) ? content : [];
  const text = isJsonObject(block) ? block.text : undefined;
  return typeof text === "string" ? `; the call was an error: ${text}` : "; the call was an error";
}
