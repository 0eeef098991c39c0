import type { ContentBlock } from "../protocol/content.ts";
import type { ToolAnnotations } from "../protocol/descriptors.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { JsonSchema } from "../schema/json_schema_document.ts";
import type { AnswerQuestion } from "./answer_questions.ts";
import type { ConversationOptions } from "./conversation.ts";
import type { TransportOptions } from "./in_process_transport.ts";
import type { TestAnswer } from "./test_answer.ts";

/** A generation of the protocol: with an envelope on every request, or opened by `initialize`. */
export type TestEra = "modern" | "legacy";

/** Options of {@linkcode createTestClient}. */
export interface TestClientOptions extends ConversationOptions, TransportOptions {
  /** How the client speaks. Default `"modern"`. */
  readonly era?: TestEra;
  /**
   * Stands for the user: answers what the server asks, and the request is sent again, up to 20 times.
   * Default: what is asked is an answer like any other.
   */
  readonly answer?: AnswerQuestion;
}

/** What a tool said of its progress. */
export interface ReceivedProgress {
  /** How far it is. */
  readonly progress: number;
  /** How far it goes. */
  readonly total?: number;
  /** What it does. */
  readonly message?: string;
}

/** Options of one request. */
export interface TestRequestOptions {
  /** Told of each report of progress. Default: nobody, and none is asked for. */
  readonly onProgress?: (report: ReceivedProgress) => void;
  /** What the server puts on its reports. Default: the request's id where `onProgress` is given. */
  readonly progressToken?: string | number;
  /** Cancels the request, in the way of the era; the promise rejects then. Default: nothing does. */
  readonly signal?: AbortSignal;
  /** Headers of this request alone. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An entry of `tools/list`. */
export interface ListedTool {
  /** The tool's name. */
  readonly name: string;
  /** Its display name. */
  readonly title?: string;
  /** What it does. */
  readonly description?: string;
  /** What it takes. */
  readonly inputSchema: JsonSchema;
  /** What its results look like. */
  readonly outputSchema?: JsonSchema;
  /** Hints about what it does. */
  readonly annotations?: ToolAnnotations;
  /** Metadata. */
  readonly _meta?: JsonObject;
}

/** A result of `tools/call`. */
export interface CalledResult {
  /** For the model to read. */
  readonly content: readonly ContentBlock[];
  /** For programs. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed. */
  readonly isError?: boolean;
  /** Whatever else is there. */
  readonly [member: string]: unknown;
}

/** A client in the process of the server it talks to. */
export interface TestClient extends AsyncDisposable {
  /** How it speaks. */
  readonly era: TestEra;
  /**
   * Lists all tools, page by page.
   *
   * @throws {RpcFailure} when the server refuses.
   */
  listTools(): Promise<readonly ListedTool[]>;
  /**
   * Calls a tool. A tool that fails is a result with `isError`.
   *
   * @param name The tool's name.
   * @param args Its arguments. Default: none.
   * @throws {RpcFailure} when the server refuses.
   */
  callTool(name: string, args?: JsonObject, options?: TestRequestOptions): Promise<CalledResult>;
  /** Sends any request; what comes back is a value, a refusal as well. */
  request(method: string, params?: JsonObject, options?: TestRequestOptions): Promise<TestAnswer>;
  /** Sends a notification. */
  notify(method: string, params?: JsonObject): Promise<TestAnswer>;
  /**
   * Ends the session, if there is one; the next request opens another. `await using` does the same
   * and ignores a refusal.
   *
   * @throws {RpcFailure} when the server does not end it.
   */
  close(): Promise<void>;
}
