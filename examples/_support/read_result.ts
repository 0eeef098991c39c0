import { assert } from "@std/assert";

/** What a client gets from a tool. */
export interface Result {
  readonly content: readonly object[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** The text of a result. */
export function readText({ content: [block] }: Result): string {
  assert(block !== undefined && "text" in block && typeof block.text === "string");
  return block.text;
}

/** What a tool gave; a failure is an error here. */
export function readValue<Value>(result: Result): Value {
  assert(result.isError !== true, readText(result));
  return result.structuredContent as Value;
}

/** Why a tool gave nothing. */
export function readFailure(result: Result): { readonly type: string; readonly message: string } {
  assert(result.isError, "Expected the call to fail");
  return JSON.parse(readText(result)).error;
}
