/**
 * A modern client that listens by `subscriptions/listen`, driven by hand.
 *
 * @module
 */
import { type Endpoint, Listener } from "./legacy_session.ts";
import { type McpInput, mcpRequest } from "./mcp_request.ts";
import type { Message } from "./read_answer.ts";

/** Builds the request that listens. */
export function listenRequest(notifications: unknown, input: McpInput = {}): Request {
  return mcpRequest("modern", {
    method: "subscriptions/listen",
    params: { notifications },
    ...input,
  });
}

/** A stream of notifications, and the response that ends it. */
export class ListenClient {
  /** What was acknowledged. */
  readonly acknowledged: Message;
  readonly #listener: Listener;

  constructor(acknowledged: Message, listener: Listener) {
    this.acknowledged = acknowledged;
    this.#listener = listener;
  }

  /** The next message; `undefined` at the end. */
  async next(): Promise<Message | undefined> {
    const message = await this.#listener.nextMessage();
    return message && JSON.parse(message.json);
  }

  /** Everything up to the end. */
  async rest(): Promise<readonly Message[]> {
    const messages: Message[] = [];
    for (let one = await this.next(); one !== undefined; one = await this.next()) {
      messages.push(one);
    }
    return messages;
  }

  /** The next block of the stream, comments included. */
  async nextBlock(): Promise<string | undefined> {
    return await this.#listener.next();
  }

  /** Leaves. */
  async leave(): Promise<void> {
    await this.#listener.leave();
  }
}

/** Listens, and reads the acknowledgement. */
export async function listenTo(
  server: Endpoint,
  notifications: unknown,
  input: McpInput = {},
): Promise<ListenClient> {
  const response = await server.fetch(listenRequest(notifications, input));
  if (response.status !== 200) {
    throw new Error(`No stream was opened: ${response.status} ${await response.text()}`);
  }
  const listener = new Listener(response.body!);
  const { json } = (await listener.nextMessage())!;
  return new ListenClient(JSON.parse(json), listener);
}
