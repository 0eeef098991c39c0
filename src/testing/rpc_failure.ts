import type { TestAnswer } from "./test_answer.ts";

/** Thrown by a test client's `callTool()` and `listTools()` when the server answers with no result. */
export class RpcFailure extends Error {
  /** Always `"RpcFailure"`. */
  override readonly name = "RpcFailure" as const;
  /** The JSON-RPC error's code; `undefined` where the answer held no error either. */
  readonly code: number | undefined;
  /** Details of the error, if there are any. */
  readonly data: unknown;
  /** The whole answer, with its status and headers. */
  readonly answer: TestAnswer;

  /**
   * Tells what was answered.
   *
   * @param method What was requested.
   * @param answer What came back.
   */
  constructor(method: string, answer: TestAnswer) {
    const { status, error } = answer;
    const why = error === undefined ? "no JSON-RPC response" : `${error.message} (${error.code})`;
    super(`Request ${method} failed: ${why} on HTTP ${status}`);
    this.code = error?.code;
    this.data = error?.data;
    this.answer = answer;
  }
}
