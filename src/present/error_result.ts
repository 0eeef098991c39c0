import type { ResultText } from "./result_text.ts";
import { serialize } from "./serialize.ts";
import { textBlock } from "./text_block.ts";

/** What a tool's failure is called. */
export type ToolErrorType =
  | "continuation_invalid"
  | "fault"
  | "input_cancelled"
  | "input_declined"
  | "input_required"
  | "not_found"
  | "output_encoding"
  | "result_too_large"
  | "service_error"
  | "timeout"
  | "validation_error";

/** A failure that a model can read and act on. */
export interface ToolError {
  /** What kind of failure. */
  readonly type: ToolErrorType;
  /** One sentence. */
  readonly message: string;
  /** Messages by field. */
  readonly detail?: unknown;
  /** A stable code of the domain. */
  readonly code?: string;
  /** What a user did who was asked. */
  readonly action?: string;
  /** Arguments that are needed, as JSON Schema by name. */
  readonly requestedInput?: unknown;
  /** Finds the cause in the server's log. */
  readonly reference?: string;
  /** What the caller sent, where the server is set to repeat it. */
  readonly value?: unknown;
}

/**
 * Presents a failure: one text block with the error as JSON, and no `structuredContent` (T-41).
 *
 * @param error What failed.
 * @param cause What the domain threw, where it refused.
 * @returns A result with `isError: true`.
 */
export function errorResult(error: ToolError, cause?: unknown): ResultText {
  const block = textBlock(serialize({ error }));
  return {
    members: `"content":[${block}],"isError":true`,
    isError: true,
    failure: { type: error.type, cause },
  };
}
