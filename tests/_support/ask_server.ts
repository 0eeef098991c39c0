import { mcpRequest } from "./mcp_request.ts";
import { type Answer, type Message, readAnswer } from "./read_answer.ts";
import { assertSound } from "./wire_sheet.ts";

/** What answers requests. */
export interface Askable {
  fetch(request: Request): Promise<Response>;
}

/** A generation of the protocol. */
export type AskedEra = "modern" | "legacy";

/** How a request is sent. */
export interface AskOptions {
  /** Default `"modern"`. */
  readonly era?: AskedEra;
  /** The bearer token. Default: none. */
  readonly token?: string;
}

/** Sends a method with its parameters, and reads the answer, which must be sound. */
export async function askServer(
  server: Askable,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { era = "modern", token }: AskOptions = {},
): Promise<Answer & { readonly message: Message }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await readAnswer(await server.fetch(mcpRequest(era, { method, params, headers })));
  assertSound(answer, method, era);
  return answer as Answer & { readonly message: Message };
}
