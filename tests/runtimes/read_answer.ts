/** A JSON-RPC message, as far as the cases look into it. */
export interface Answer {
  readonly result?: {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly [member: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: object };
  readonly method?: string;
  readonly params?: { readonly progress: number };
}

/** Reads a response whole: every message of it, be it JSON or a stream. */
export async function readAnswers(response: Response): Promise<readonly Answer[]> {
  const text = await response.text();
  if (response.headers.get("content-type") !== "text/event-stream") return [JSON.parse(text)];
  if (!text.endsWith("\n\n")) throw new Error(`The stream ends within an event: ${text}`);
  const events = text.slice(0, -2).split("\n\n").filter((event) => !event.startsWith(":"));
  return events.map((event) => JSON.parse(event.replace(/^data: /, "")));
}

/** Reads the text of a tool's result, which is the last message. */
export async function readText(response: Response): Promise<string | undefined> {
  return (await readAnswers(response)).at(-1)?.result?.content[0]?.text;
}

/** Reads what a tool's refusal says is wrong, by argument. */
export async function readProblems(response: Response): Promise<unknown> {
  return JSON.parse(await readText(response) ?? "{}").error?.detail;
}
