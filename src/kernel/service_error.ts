import type { ProblemTree } from "../schema/problems.ts";

/**
 * The domain refused: thrown by a service or a selector, and told to the caller in its own words.
 *
 * Over MCP it becomes a tool result with `isError: true`, which a model can read and act on. Any
 * other exception is a fault, whose text never leaves the server.
 *
 * @example
 * ```ts
 * import { ServiceError } from "@limen/mcp/kernel";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(new ServiceError("The books are closed.").message, "The books are closed.");
 * ```
 */
export class ServiceError extends Error {
  /** `"ServiceError"`, or the name of the subclass. */
  override readonly name: string = "ServiceError";

  /**
   * Refuses.
   *
   * @param message What the caller is told. Default: nothing.
   * @param options A `cause`, which is never told.
   */
  constructor(message?: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** The row is in a state that does not allow the operation. */
export class ServiceConflict extends ServiceError {
  /** Always `"ServiceConflict"`. */
  override readonly name: string = "ServiceConflict";
}

/** Something the operation needs does not exist. */
export class ServiceNotFound extends ServiceError {
  /** Always `"ServiceNotFound"`. */
  override readonly name: string = "ServiceNotFound";
}

/** What the caller sent is well formed and still not acceptable. */
export class ServiceValidationError extends ServiceError {
  /** Always `"ServiceValidationError"`. */
  override readonly name: string = "ServiceValidationError";
  /** Messages by field; messages about no field in particular are under `non_field_errors`. */
  readonly detail: ProblemTree;

  /**
   * Refuses what the caller sent.
   *
   * @param message One sentence.
   * @param detail Messages by field, or a list of messages about the whole. Default: the message.
   */
  constructor(message: string, detail?: ProblemTree | readonly string[] | string) {
    super(message);
    this.detail = typeof detail === "object" && !isList(detail)
      ? detail
      : { non_field_errors: isList(detail) ? detail : [detail ?? message] };
  }
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
