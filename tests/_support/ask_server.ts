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
  const request = era === "modern"
    ? mcpRequest("modern", { method, params, headers })
    : new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const answer = await readAnswer(await server.fetch(request));
  if (era === "modern") assertSound(answer, method);
  return answer as Answer & { readonly message: Message };
}
