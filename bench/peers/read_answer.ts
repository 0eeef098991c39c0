/** One JSON-RPC message of an answer. */
export type Message = Readonly<Record<string, unknown>>;

/** An answer taken apart. */
export interface Answer {
  /** Everything before the last message. */
  readonly notifications: readonly Message[];
  /** The last message. */
  readonly response: Message;
}

/**
 * Reads an answer to its end, whether it is JSON or an event stream.
 *
 * @param response What the lane answered.
 * @returns Its messages.
 * @throws {Error} when the status is not 200 or there is no message.
 */
export async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.text();
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${body.slice(0, 200)}`);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const messages: readonly Message[] = isStream ? parseEvents(body) : [JSON.parse(body)];
  const last = messages.at(-1);
  if (last === undefined) throw new Error("Cannot read the answer: it holds no message");
  return { notifications: messages.slice(0, -1), response: last };
}

function parseEvents(body: string): readonly Message[] {
  return body.split("\n").filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).trim())
    .filter((data) => data !== "")
    .map((data) => JSON.parse(data));
}
