import { isJsonObject, type JsonObject } from "../protocol/json.ts";
import type { RpcError } from "../protocol/rpc_error.ts";
import { readEventStream } from "./read_event_stream.ts";
import type { ReceivedNotification, TestAnswer } from "./test_answer.ts";

/** What is done while an answer is read. */
export interface ReadAnswerOptions {
  /** Told of each notification as it comes. Default: nobody. */
  readonly onNotification?: ((notification: ReceivedNotification) => void) | undefined;
  /** Leaves a stream. Default: nothing does. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a response to its end, whether it is a single message, an event stream or empty.
 *
 * @throws {SyntaxError} when what should be JSON is not.
 */
export async function readTestAnswer(
  response: Response,
  options: ReadAnswerOptions = {},
): Promise<TestAnswer> {
  const { status, headers } = response;
  const notifications: ReceivedNotification[] = [];
  let message: unknown;
  if (headers.get("content-type") === "text/event-stream" && response.body !== null) {
    for await (const one of readEventStream(response.body, options.signal)) {
      if (isJsonObject(one) && typeof one.method === "string") {
        const notification = { method: one.method, params: (one.params ?? {}) as JsonObject };
        notifications.push(notification);
        options.onNotification?.(notification);
      } else {
        message = one;
      }
    }
  } else {
    const text = await response.text();
    if (text !== "") message = JSON.parse(text);
  }
  const { result, error } = isJsonObject(message) ? message : {};
  return {
    status,
    headers,
    notifications,
    ...(result === undefined ? {} : { result: result as JsonObject }),
    ...(error === undefined ? {} : { error: error as RpcError }),
  };
}
