/** A response, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was sent. */
  readonly text: string;
  /** Notifications that came before the response, on a stream. */
  readonly notifications: readonly Message[];
  /** The JSON-RPC response; absent where the body is empty or the stream ended without one. */
  readonly message: Message | undefined;
}

/** A JSON-RPC message, as parsed. */
// deno-lint-ignore no-explicit-any -- tests reach into it
export type Message = Readonly<Record<string, any>>;

/**
 * Reads a response to its end.
 *
 * @throws {Error} where a body is not valid UTF-8, not JSON, or a stream is framed otherwise than
 * with comments and single `data:` lines.
 */
export async function readAnswer(response: Response): Promise<Answer> {
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const { status, headers } = response;
  if (headers.get("content-type") === "text/event-stream") {
    const messages = readEvents(text);
    const message = messages.find((one) => !("method" in one));
    if (message !== undefined && message !== messages.at(-1)) {
      throw new Error("Something follows the response on the stream");
    }
    const notifications = messages.filter((one) => "method" in one);
    return { status, headers, text, notifications, message };
  }
  const message = text === "" ? undefined : JSON.parse(text);
  return { status, headers, text, notifications: [], message };
}

/** Reads the messages of an event stream. */
export function readEvents(text: string): readonly Message[] {
  const messages: Message[] = [];
  for (const event of text.split("\n\n").slice(0, -1)) {
    if (event.startsWith(":") && !event.includes("\n")) continue;
    if (!event.startsWith("data: ") || event.includes("\n")) {
      throw new Error(`Not one data line: ${JSON.stringify(event)}`);
    }
    messages.push(JSON.parse(event.slice("data: ".length)));
  }
  return messages;
}
